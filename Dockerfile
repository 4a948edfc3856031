# couch-advisor as a program: docker run --rm -v "$PWD:/work" couch-advisor lint
FROM node:22.23.3-alpine3.24 AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22.23.3-alpine3.24
# `ci` and `--staged` read git's own store, of a checkout that mostly belongs to another user than this one.
# Alpine keeps no older versions of a package, so a version that is named here could not be installed some weeks later.
# hadolint ignore=DL3018
RUN apk add --no-cache git \
  && git config --system --add safe.directory /work \
  && ln -s /app/bin/couch-advisor.js /usr/local/bin/couch-advisor
WORKDIR /app
COPY --from=packages /app ./
COPY bin bin
COPY docs/*.md docs/
COPY lib lib
COPY rules rules
COPY share share
COPY LICENSE ./
# The user `node`, by number: a host that refuses root can only check numbers.
USER 1000
WORKDIR /work
ENTRYPOINT ["couch-advisor"]
CMD ["--help"]
