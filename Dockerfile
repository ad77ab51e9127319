# docker build -t dalembert --build-arg VERSION="$(cat VERSION)" .
# docker run --rm -v dalembert:/data dalembert keys create operator --scopes read,write,metrics,admin
# docker run --rm -p 127.0.0.1:8080:8080 -v dalembert:/data dalembert

# the base image, of 2026-09-18 (debian:bookworm-20260918-slim), for all its architectures
ARG BASE_DIGEST=sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251

FROM debian:12-slim@$BASE_DIGEST AS build
WORKDIR /src
# the packages first: this layer is reused while only sources change
COPY deploy/install-deps.sh deploy/
RUN sh deploy/install-deps.sh run
COPY . .
RUN make -j"$(nproc)" && make install-strip DESTDIR=/image PREFIX=/usr/local

FROM debian:12-slim@$BASE_DIGEST
COPY deploy/install-deps.sh /tmp/
RUN sh /tmp/install-deps.sh runtime && rm -rf /tmp/install-deps.sh /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 dalembert \
    && useradd --system --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin dalembert \
    && install -d -m 0700 -o 10001 -g 10001 /data
COPY --from=build /image/usr/local/ /usr/local/
ARG VERSION REVISION BASE_DIGEST
LABEL org.opencontainers.image.title="dalembert" \
    org.opencontainers.image.description="A simulation service for constrained mechanical systems" \
    org.opencontainers.image.licenses="GPL-3.0-or-later" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION" \
    org.opencontainers.image.base.name="docker.io/library/debian:12-slim" \
    org.opencontainers.image.base.digest="$BASE_DIGEST"
# by number, so that runAsNonRoot can be checked without the image's list of users
USER 10001:10001
VOLUME /data
EXPOSE 8080
# Inside the container the service must listen on all interfaces, so it asks for keys and does not
# start without one. The first one is made by the command above, or is a token in a file, such as a
# secret: DALEMBERT_FIRST_KEY_FILE. DALEMBERT_AUTH=none lets everybody use it who reaches it.
# Pages of other names are kept out by the list of hosts: add the one that a proxy passes on.
ENV DALEMBERT_LISTEN=0.0.0.0:8080 DALEMBERT_DATA=/data DALEMBERT_AUTH=keys \
    DALEMBERT_HOSTS=localhost,127.0.0.1,[::1],dalembert
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["dalembert", "healthcheck"]
ENTRYPOINT ["dalembert"]
CMD ["serve"]
