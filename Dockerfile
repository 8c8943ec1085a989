# The README's two commands in an image: docker build -t glbcheck . && docker run --rm glbcheck
FROM debian:bookworm
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git make python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /glbcheck
COPY . .
RUN make setup
# Nothing may be skipped for want of what `make setup` installs.
ENV GLBCHECK_REQUIRE=coq,browser
CMD ["make", "test", "reproduce"]
