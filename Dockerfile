# All that the tests need, and the agent: docker build -t connect4-agent . && docker run --rm -i connect4-agent < examples/requests.jsonl
FROM debian:bookworm-slim
RUN apt-get update -q && apt-get install -q -y --no-install-recommends ca-certificates make python3-dev python3-venv
WORKDIR /home/agent/connect4-agent
COPY . .
RUN make tools && useradd --create-home agent && chown -R agent /home/agent
USER agent
RUN make install EXTRAS=arena,web
ENV PATH=/home/agent/connect4-agent/.venv/bin:$PATH
CMD ["connect4-agent"]
