# Homeport as three images: the API, which also serves the client (`docker build .`), the edge, which serves deployed
# apps (`docker build --target edge .`), and the runtime of SSR apps (`docker build --target runtime .`). The root file
# system may be read-only: the API writes to /tmp, the runtime to /tmp and /run/homeport, the edge nowhere.
#
# To get the same base in every build, append the digest that `docker buildx imagetools inspect` prints:
# node:24-bookworm-slim@sha256:…

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# The repository with its compilers. Also runs the embedded DNS server in docker-compose.yml.
FROM packages AS tools
RUN npm ci --include=dev
COPY . .
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=development
USER node

FROM tools AS build
USER root
RUN NX_DAEMON=false npx nx run-many -t build -p api,client --output-style=stream

# No production package needs an install script.
FROM packages AS production-packages
RUN npm ci --omit=dev --ignore-scripts
COPY tools/images/sbom.mjs ./
RUN node sbom.mjs > sbom.cdx.json

FROM node:24-bookworm-slim AS server
WORKDIR /app
LABEL org.opencontainers.image.title="Homeport" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY package.json LICENSE ./
# The npm packages of the image (CycloneDX).
COPY --from=production-packages /app/sbom.cdx.json ./
COPY --from=production-packages /app/node_modules ./node_modules
COPY --from=build /app/dist/api ./dist/api
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=4 \
    MALLOC_ARENA_MAX=1 \
    HOST=0.0.0.0
USER node
STOPSIGNAL SIGTERM

# Serves deployed apps on a separate port: `docker build --target edge .`.
FROM server AS edge
# Apps, the port for TLS, and the management port, where the settings open them.
EXPOSE 8080 8443 9091
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.EDGE_PORT || 8080) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/api/apps/edge/src/main.js"]

# Runs the servers of SSR apps. As root, so that each app has its own user; the container decides what else root may do.
# The group owns the socket, so that the edge, which runs as `node`, may connect.
FROM server AS runtime
USER root
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap tini && rm -rf /var/lib/apt/lists/* \
  && mkdir -m 711 /run/homeport
USER 0:1000
ENV RUNTIME_DIR=/run/homeport
EXPOSE 9092
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require('http').get({ socketPath: process.env.RUNTIME_DIR + '/runtime.sock', path: '/health/live' }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Ends processes whose parents have ended: not every engine gives a container a process for it.
ENTRYPOINT ["/usr/bin/tini", "-s", "--"]
CMD ["node", "dist/api/apps/runtime/src/main.js"]

FROM server AS api
COPY --from=build /app/dist/client ./dist/client
ENV CLIENT_DIR=/app/dist/client/browser
EXPOSE 3000 9090
# Liveness only: a container must not be restarted because
# PostgreSQL is unavailable. Load balancers check /health/ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/api/apps/api/src/main.js"]
