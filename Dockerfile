# syntax=docker/dockerfile:1

# Builds the console, with the packages that only the build needs.
FROM node:26-slim AS console
WORKDIR /cadre
COPY package.json package-lock.json .npmrc ./
COPY bin ./bin
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev
COPY tsconfig.json ./
COPY src ./src
COPY console ./console
RUN node console/build/build.ts

# Packages for production. The image has its own Node, so the one from the packages is left out. No package needs its install
# scripts; types and source maps are only for development.
FROM node:26-slim AS packages
WORKDIR /cadre
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/cadre.db CADRE_FILES=/data/files
# Cadre writes only to this volume, so the rest can be read-only.
RUN install -d -o node -g node -m 700 /data
VOLUME /data
WORKDIR /cadre
COPY package.json ./
COPY --from=packages /cadre/node_modules ./node_modules
COPY --from=console /cadre/dist ./dist
COPY src ./src
# Fills the compile cache as the user who runs the service: the files of the image are read-only later.
RUN install -d -o node -g node node_modules/.cache
USER node
RUN NODE_COMPILE_CACHE=node_modules/.cache/compiled node -e "import('./src/app.ts'); require('pg')"
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that stop signals reach the service. Other commands: docker run … cadre key list.
ENTRYPOINT ["node", "src/main.ts"]
CMD ["serve"]
