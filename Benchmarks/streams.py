#!/usr/bin/env python3
"""Opens many change streams of one service, changes flags, and measures when the values arrive.

    streams.py [--streams 1000] [--changes 20] [--flags 100] FLAGSTAFF

The flag file is replaced in turns by one where a flag with targeting differs and one where a flag without does. Two
times are taken for each stream: from the replacement of the file, and from the moment the service says that the rules
are in force. Receiving happens in this process, on the same cores, and is part of what is measured.
"""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import select
import socket
import subprocess
import sys
import tempfile
import time


def flag_file(count, targeted, plain):
    script = pathlib.Path(__file__).with_name("make-flags.py")
    text = subprocess.run(
        [sys.executable, script, str(count)], check=True, capture_output=True, text=True).stdout
    document = json.loads(text)
    for name, mark in (("flag-0", targeted), ("flag-1", plain)):
        document["flags"][name]["variants"] = {"on": mark, "off": mark + "-off"}
    return json.dumps(document)


def replace(path, text):
    """Puts a new file in the place of the old one in one step, and returns when that was."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    start = time.perf_counter()
    os.replace(fresh, path)
    return start


def resident_bytes(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("streams: the service is gone")


def percentile(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * percent / 100))]


class Service:
    def __init__(self, program, flags):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [program, "serve", "--flags", flags, "--port", str(self.port), "--log-format", "json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.log = self.process.stderr
        os.set_blocking(self.log.fileno(), False)
        deadline = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"streams: the service did not start: {self.log.read()}")
            time.sleep(0.05)

    def open(self, index):
        context = {
            "targetingKey": f"user-{index}", "email": f"user-{index}@example.com", "plan": "pro", "age": index % 80,
            "locale": "de_DE", "device": {"os": "iOS", "version": "17.4.1", "mobile": True},
        }
        body = json.dumps({"context": context}).encode()
        stream = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        stream.sendall(
            b"POST /flagstaff/v1/evaluations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Accept: text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        stream.setblocking(False)
        return stream


class Receiver:
    """Waits for a mark on every stream."""

    def __init__(self, service, count):
        self.service = service
        self.streams = {}
        self.poll = select.epoll()
        for index in range(count):
            stream = service.open(index)
            self.streams[stream.fileno()] = stream
            self.poll.register(stream, select.EPOLLIN)
        self.poll.register(service.log, select.EPOLLIN)

    def wait(self, mark, seconds=30):
        """The time at which each stream had the mark, and the time at which the service spoke of new rules."""
        arrivals = {}
        published = None
        tails = dict.fromkeys(self.streams, b"")
        deadline = time.monotonic() + seconds
        while len(arrivals) < len(self.streams):
            if time.monotonic() > deadline:
                raise SystemExit(f"streams: {len(self.streams) - len(arrivals)} streams never got {mark!r}")
            for descriptor, _ in self.poll.poll(1):
                if descriptor == self.service.log.fileno():
                    line = self.service.log.read() or b""
                    if b"rules in force" in line and published is None:
                        published = time.perf_counter()
                    continue
                received = self.streams[descriptor].recv(1 << 16)
                now = time.perf_counter()
                if not received:
                    raise SystemExit("streams: the service closed a stream")
                text = tails[descriptor] + received
                if mark in text:
                    arrivals.setdefault(descriptor, now)
                tails[descriptor] = text[-len(mark):]
        return list(arrivals.values()), published

    def drain(self, seconds):
        """Reads what comes in that time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for descriptor, _ in self.poll.poll(0.1):
                if descriptor == self.service.log.fileno():
                    self.service.log.read()
                else:
                    self.streams[descriptor].recv(1 << 16)

    def close(self):
        for stream in self.streams.values():
            stream.close()
        self.poll.close()


def result(**fields):
    print("result: " + json.dumps(fields, ensure_ascii=False))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="FLAGSTAFF")
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--changes", type=int, default=20, help="of each kind")
    parser.add_argument("--flags", type=int, default=100)
    options = parser.parse_args()

    wanted = options.streams + 200
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        if hard != resource.RLIM_INFINITY and hard < wanted:
            raise SystemExit(f"streams: the limit of open files is {hard}; {wanted} are needed (ulimit -n)")
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "flags.json")
        path.write_text(flag_file(options.flags, "targeted-0", "plain-0"))
        service = Service(options.program, path)
        try:
            measure(options, service, path)
        finally:
            service.process.terminate()
            # Reads the log to its end: a full pipe would hold the service up.
            service.process.communicate(timeout=20)


def measure(options, service, path):
    # What the first streams cost once (threads, pools, code pages) is no cost per stream.
    first = Receiver(service, 50)
    first.drain(1)
    first.close()
    time.sleep(1)
    before = resident_bytes(service.process)
    receiver = Receiver(service, options.streams)
    receiver.drain(3)
    after = resident_bytes(service.process)
    idle = (after - before) / options.streams / 1024
    print(f"{options.streams} idle streams: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB with them, {idle:.1f} KiB each")

    values = {"targeted": "targeted-0", "plain": "plain-0"}
    times = {"targeted": ([], []), "plain": ([], [])}
    for change in range(1, options.changes + 1):
        for kind in values:
            values[kind] = f"{kind}-{change}"
            text = flag_file(options.flags, values["targeted"], values["plain"])
            replaced = replace(path, text)
            arrivals, published = receiver.wait(f'"{values[kind]}'.encode())
            times[kind][0].extend(arrival - replaced for arrival in arrivals)
            if published is not None:
                times[kind][1].extend(max(0, arrival - published) for arrival in arrivals)
            receiver.drain(0.2)
    receiver.close()

    streams = f"{options.streams:,} streams, {options.flags} flags"
    for kind, name in (("targeted", "a flag with targeting changed"), ("plain", "a flag without targeting changed")):
        from_file, from_publish = ([value * 1000 for value in values] for values in times[kind])
        for label, data in (("replaced file", from_file), ("published rules", from_publish)):
            if data:
                print(
                    f"{name}: {label} -> value, p50 {percentile(data, 50):.1f} ms, p99 {percentile(data, 99):.1f} ms, "
                    f"longest {max(data):.1f} ms")
        if from_publish:
            result(
                what=f"{name}: publish → value at the receivers, p99 ({streams})",
                value=round(percentile(from_publish, 99), 1), unit="ms", atMost=50)
        result(
            what=f"{name}: file replaced → value at the receivers, p99",
            value=round(percentile(from_file, 99), 1), unit="ms", atMost=50)
    result(what=f"resident memory of the service per idle stream ({streams})", value=round(idle, 1), unit="KiB", atMost=12)


main()
