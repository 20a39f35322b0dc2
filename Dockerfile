# docker build -t bench-rest . && docker run --rm --network host bench-rest -n 1000 -c 50 http://localhost:8000/
FROM node:22-alpine
LABEL org.opencontainers.image.title="bench-rest" \
      org.opencontainers.image.description="Benchmark REST services with flows" \
      org.opencontainers.image.source="https://github.com/jeffbski/bench-rest" \
      org.opencontainers.image.documentation="https://github.com/jeffbski/bench-rest#readme" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /opt/bench-rest
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
# the packages of agents: optional, and found in the folder above
# hadolint ignore=SC2046
RUN npm install --prefix /opt --omit=dev --ignore-scripts --no-audit --no-fund \
    $(node -p "Object.entries(require('./package.json').peerDependencies).map((one) => one.join('@')).join(' ')") \
    && npm cache clean --force
COPY index.js capacity.schema.json comparison.schema.json flow.schema.json history.schema.json result.schema.json LICENSE THIRD_PARTY.md ./
COPY bin bin
COPY lib lib
RUN ln -s /opt/bench-rest/bin/bench-rest.js /usr/local/bin/bench-rest
# flows and results: docker run -v "$PWD:/work"
WORKDIR /work
# node, as a number: Kubernetes cannot tell that a name is not root
USER 1000
ENTRYPOINT ["bench-rest"]
