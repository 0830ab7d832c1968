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
# Web app and program are built with development packages, which then go, as does what the built program has in itself.
RUN printf '%s\n' "${NPMRC}" >/etc/build-npmrc && export npm_config_globalconfig=/etc/build-npmrc \
  && npm ci && cp -R client/dist client/shared client/tokens.css /tmp \
  && rm -rf client && mkdir client && mv /tmp/dist /tmp/shared /tmp/tokens.css client \
  && npm ci --omit=dev --ignore-scripts \
  && sh scripts/packages/prune.sh node_modules \
  # The links to libraries, which the image's user may not make.
  && bin/node scripts/packages/link-libraries.ts \
  && sh scripts/packages/only-built.sh . && rm -rf scripts package-lock.json tsconfig.json .npmrc \
  && chmod -R u=rwX,go=rX .

# Libraries, a shell and authorities, and nothing that installs packages: no apt, no dpkg, no perl.
FROM ${BASE} AS system
ARG FILMS=
COPY scripts/packages/minimal-root.sh /
RUN sh minimal-root.sh /system libc6 libc-bin libstdc++6 busybox-static ${FILMS:+ffmpeg} \
  && echo 'stonechat:x:991:991::/data:/bin/sh' >>/system/etc/passwd && echo 'stonechat:x:991:' >>/system/etc/group \
  && install -d -o 991 -g 991 -m 0700 /system/data && install -d /system/etc/ssl/certs /system/opt/stonechat
COPY --from=build /etc/ssl/certs/ca-certificates.crt /system/etc/ssl/certs/

# One layer, without what was removed.
FROM scratch
COPY --from=system /system /
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
