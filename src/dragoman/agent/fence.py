"""The fence of `dragoman.models.fence`, where agents and their judges look for it."""

from dragoman.models.fence import Fence, fence_for

__all__ = ["Fence", "fence_for"]
