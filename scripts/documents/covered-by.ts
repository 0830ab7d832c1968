// What of the examples is run by something that knows its surroundings, and what cannot be run: everything else is run
// by test/e2e/documents.test.ts, or given to its program by examples.test.ts.

export interface Coverage {
  /** Of a line of the shell, a command of ours without its name, or the beginning of another example. */
  readonly what: RegExp
  /** The file that runs it. */
  readonly file?: string
  /** What it has of it. */
  readonly mark?: string
  /** Why nothing runs it. */
  readonly reason?: string
}

/** Commands of ours, by their words. */
export const coveredCommands: readonly Coverage[] = [
  { what: /^serve$/, file: 'test/support/processes/server-process.ts', mark: "'serve'" },
  { what: /^serve --roles \w+$/, file: 'scripts/packages/compose-several.sh', mark: 'command[]' },
  { what: /^supervise$/, file: 'test/support/processes/several-processes.ts', mark: "['supervise'," },
  { what: /^supervise restart/, file: 'test/support/processes/several-processes.ts', mark: "'restart'" },
  { what: /^restore \S+$/, file: 'test/robustness/backup/backup.test.ts', mark: "'restore'" },
  { what: /^database export/, file: 'scripts/documents/recovery.sh', mark: 'example "create role"' },
  { what: /^database import/, file: 'scripts/documents/recovery.sh', mark: 'example "create role"' },
  { what: /^database upgrade/, file: 'test/e2e/database.test.ts', mark: "'database', 'upgrade'" },
  { what: /^media migrate/, file: 'test/e2e/cli-media.test.ts', mark: "'media', 'migrate', 's3'" },
  { what: /^accounts import-archive/, file: 'test/e2e/cli-archive.test.ts', mark: "'import-archive'" },
]

/** Lines of the shell that are no commands of ours. */
export const coveredLines: readonly Coverage[] = [
  { what: /^npm ci && npm (?:start|test)$/, file: 'scripts/bare-machine.sh', mark: 'readme_commands' },
  { what: /^npm start$/, file: 'scripts/bare-machine.sh', mark: 'npm start' },
  { what: /^curl /, file: 'test/e2e/documents.test.ts', mark: 'curl -sSf' },
  { what: /^npm ci && scripts\/deb\.sh$/, file: '.ci/nightly', mark: 'scripts/deb.sh --check' },
  {
    what: /^apt install \.\/stonechat/,
    file: 'scripts/packages/check-deb.sh',
    mark: 'dpkg -i /root/stonechat.deb',
  },
  { what: /^editor /, reason: 'it wants a person' },
  {
    what: /^systemctl start stonechat/,
    file: 'scripts/packages/check-deb.sh',
    mark: 'systemctl start stonechat',
  },
  {
    what: /^systemctl reload stonechat$/,
    reason: 'it runs the ExecReload of the example, `supervise restart`, which is run above',
  },
  {
    what: /^(?:useradd|install|systemctl enable) /,
    file: 'scripts/packages/check-deb.sh',
    mark: 'as-a-service.sh',
  },
  { what: /^docker build -t stonechat \.$/, file: 'scripts/container.sh', mark: 'image bud' },
  {
    what: /^echo LOCAL_DOMAIN=\S+ >> \.env$/,
    reason: 'what it writes is what each example of a server sets',
  },
  { what: /docker compose up -d$/, file: 'scripts/packages/compose-several.sh', mark: 'compose.yaml config' },
  { what: /^sudo -u postgres psql/, file: 'scripts/documents/recovery.sh', mark: 'example "create role"' },
  { what: /^pg_basebackup /, file: 'scripts/documents/recovery.sh', mark: 'example pg_basebackup' },
  { what: /^certbot /, reason: 'an authority looks for the name from outside' },
  // docs/developers/federation-testing.md
  { what: /snac (?:init|adduser|httpd) /, file: 'test/support/servers/snac.ts', mark: "'init'" },
  { what: /^sed -i .*server\.json$/, file: 'test/support/servers/snac.ts', mark: 'server.json' },
  { what: /^api\(\) \{ curl /, reason: 'it is for whoever tries things by hand' },
]

/** Other examples, by how they begin. */
export const coveredTexts: readonly Coverage[] = [
  { what: /^ {2}http:\/\/localhost:3000\/setup/, reason: 'what the program prints' },
  { what: /^Stonechat 0\.2\.0 knows schema/, reason: 'what the program prints' },
  { what: /^ +0\.0 +169\.7/, reason: 'what a trace shows' },
  { what: /^ a person's app/, reason: 'a drawing' },
  {
    what: /^(?:archive_mode|restore_command) =/,
    file: 'scripts/documents/recovery.sh',
    mark: 'example archive_command',
  },
  {
    what: /^(?:listen_addresses|hot_standby_feedback) /,
    file: 'scripts/documents/replicas.sh',
    mark: 'settings ',
  },
  { what: /^host {2}replication/, file: 'scripts/documents/replicas.sh', mark: 'settings ' },
  { what: /^\[databases\]/, file: 'test/support/servers/pgbouncer.ts', mark: "'[databases]'" },
  { what: /^\{\n {2}"name": "New accounts/, file: 'test/e2e/documents.test.ts', mark: 'rule.json' },
  { what: /^<VirtualHost/, file: 'test/roles/proxies.test.ts', mark: "['apache2', '<VirtualHost']" },
  { what: /^frontend/, file: 'test/roles/proxies.test.ts', mark: "['haproxy', 'frontend']" },
]
