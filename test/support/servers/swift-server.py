"""OpenStack Swift with its S3 interface, whole in one process: for tests.

Usage: swift-server.py FOLDER ACCESS_KEY SECRET_KEY. The folder is empty and on a file system with extended
attributes. ACCESS_KEY has the form account:user. Prints the port on 127.0.0.1 once requests are answered, and ends
when its standard input does.
"""
import eventlet
import eventlet.patcher

eventlet.patcher.monkey_patch()

import os
import sys

from eventlet import tpool, wsgi
from swift.common import utils

folder, access_key, secret_key = sys.argv[1:]
account, user = access_key.split(':')


def save(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


save('swift.conf', '[swift-hash]\nswift_hash_path_suffix = test\n')
# The machine's own configuration, where there is one, is not ours: this comes before what reads it.
utils.set_swift_dir(folder)

from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, loadapp

os.mkdir(os.path.join(folder, 'disk'))

DEFAULTS = f"""[DEFAULT]
swift_dir = {folder}
devices = {folder}
mount_check = false
fallocate_reserve = 0
disable_fallocate = true
log_level = CRITICAL
"""

PROXY = f"""
[pipeline:main]
pipeline = catch_errors s3api tempauth proxy-server

[filter:catch_errors]
use = egg:swift#catch_errors

[filter:s3api]
use = egg:swift#s3api
s3_acl = true

[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret_key} .admin

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""


class Cache:
    """What tempauth wants of memcached."""

    def __init__(self):
        self.entries = {}

    def get(self, key, **_):
        return self.entries.get(key)

    def set(self, key, value, **_):
        self.entries[key] = value

    def delete(self, key, **_):
        self.entries.pop(key, None)


def with_cache(app, cache):
    def handle(env, start_response):
        env['swift.cache'] = cache
        return app(env, start_response)

    return handle


def serve(listener, app):
    # S3 clients look for `ETag`, not for `Etag`.
    eventlet.spawn(
        wsgi.server,
        listener,
        app,
        utils.NullLogger(),
        protocol=SwiftHttpProtocol,
        capitalize_response_headers=False,
    )
    return listener.getsockname()[1]


def start(name, conf):
    app = loadapp(save(f'{name}-server.conf', DEFAULTS + conf), global_conf={'log_name': name})
    return serve(eventlet.listen(('127.0.0.1', 0)), with_cache(app, Cache()))


def make_ring(name, port):
    builder = RingBuilder(part_power=1, replicas=1, min_part_hours=0)
    builder.add_dev(
        {'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'disk', 'weight': 1}
    )
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))


# The container server reads the account ring, so they start in this order.
for name in ('account', 'container', 'object'):
    make_ring(name, start(name, f'\n[app:main]\nuse = egg:swift#{name}\n'))
print(start('proxy', PROXY), flush=True)

tpool.execute(sys.stdin.read)
