"""The embedded model: a small language model that runs inside the process, with no key and no server."""

from dragoman.models.embedded.embedded import EmbeddedModel
from dragoman.models.embedded.weights import Progress, install, remove, status

__all__ = ["EmbeddedModel", "Progress", "install", "remove", "status"]
