# Stonechat as a container image. Built by `docker build -t stonechat .`, `podman build` or `buildah bud`.
#   --build-arg BASE=…        another Debian 12 or 13 than the one of Docker Hub
#   --build-arg FILMS=yes     with ffmpeg, for films and sounds; some 400 MB more
#   --build-arg NPMRC=…       lines of an .npmrc, where packages come through a registry of one's own
ARG BASE=docker.io/library/debian:13-slim

FROM ${BASE} AS build
RUN apt-get update -q \
  && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends npm binutils ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/stonechat
COPY package.json package-lock.json tsconfig.json .npmrc ./
COPY bin bin
COPY src src
COPY locales locales
COPY client client
COPY scripts/packages scripts/packages
ARG NPMRC=
# The web app is built with development packages, which then go.
RUN printf '%s\n' "${NPMRC}" >/etc/build-npmrc && export npm_config_globalconfig=/etc/build-npmrc \
  && npm ci && cp -R client/dist client/tokens.css /tmp && rm -rf client && mkdir client && mv /tmp/dist /tmp/tokens.css client \
  && npm ci --omit=dev --ignore-scripts \
  && sh scripts/packages/prune.sh node_modules \
  # The links to libraries, which the image's user may not make.
  && bin/node scripts/packages/link-libraries.ts \
  && find src -name '*.test.ts' -delete && rm -rf scripts package-lock.json tsconfig.json .npmrc \
  && chmod -R u=rwX,go=rX .

FROM ${BASE} AS system
ARG FILMS=
RUN apt-get update -q \
  && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends libstdc++6 ca-certificates ${FILMS:+ffmpeg} \
  && groupadd --system --gid 991 stonechat \
  && useradd --system --uid 991 --gid 991 --home-dir /data --no-create-home stonechat \
  && install -d -o stonechat -g stonechat -m 0700 /data /opt/stonechat
# What installs packages is not for an image that cannot be written to; the list of packages stays, for scanners.
RUN dpkg --purge --force-all apt sqv perl-base debconf openssl passwd >/dev/null 2>&1 || true; \
  rm -rf /var/lib/apt /var/cache/* /var/log/* /var/lib/dpkg/info /usr/share/doc /usr/share/man /usr/share/locale \
  /usr/share/info /usr/lib/apt /usr/lib/*/perl-base /usr/bin/perl* /usr/lib/*/gconv /usr/lib/*/libapt-* \
  /usr/lib/*/libdb-5* /usr/bin/localedef && mkdir -p /var/cache /var/log

# One layer, without what was removed.
FROM scratch
COPY --from=system / /
LABEL org.opencontainers.image.title="Stonechat" org.opencontainers.image.licenses="AGPL-3.0-or-later"
COPY --from=build /opt/stonechat /opt/stonechat
COPY LICENSE /opt/stonechat/
ENV PATH=/opt/stonechat/bin:/usr/local/bin:/usr/bin:/bin
# Nothing is written but /data and /tmp: run it with a read-only root file system.
ENV NODE_ENV=production BIND=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled HOME=/data
USER stonechat
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m \
  CMD ["/opt/stonechat/bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/stonechat/bin/stonechat"]
CMD ["serve"]
