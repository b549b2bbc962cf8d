"""Where a branch left its base: merge bases, and how far they can be trusted in a shallow clone."""

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import Git, first_line
from werkrevisor_core.models.change import ReadFault


def merge_bases(base: str, head: str, git: Git, shallow: frozenset[str]) -> tuple[str, ...]:
    """Return the best common ancestors of two commits, at least one.

    Args:
        base: full id of the commit that the change is compared with.
        head: full id of the last commit of the change.
        git: git of our own repository.
        shallow: ids of the commits at which a shallow clone is cut off.

    Raises:
        GitError: there is none, or the clone is too short to tell.
    """
    answer = git.run("merge-base", "--all", base, head)
    found = tuple(answer.lines)
    if answer.status > 1 or (answer.status == 1 and answer.complaint.startswith(("fatal", "error"))):
        raise GitError(f"git cannot compare {base[:12]} with {head[:12]}: {first_line(answer.complaint)}")
    if not found and shallow:
        raise _too_short(base, head)
    if not found:
        raise GitError(
            f"{base[:12]} and {head[:12]} have no common ancestor, so what the branch changes cannot be told: "
            "name another base with --base"
        )
    if shallow and found not in ((base,), (head,)) and _reaches_the_cut(base, head, found, git, shallow):
        raise _too_short(base, head)
    return found


def _too_short(base: str, head: str) -> GitError:
    return GitError(
        f"this clone is shallow and too short to find where {head[:12]} left {base[:12]}: run `git fetch --unshallow`"
    )


def _reaches_the_cut(base: str, head: str, found: tuple[str, ...], git: Git, shallow: frozenset[str]) -> bool:
    """Tell whether a commit on the way to the merge base is one whose parents are not known.

    Behind such a commit a nearer common ancestor could lie. Where one of the two is the ancestor of
    the other none can be nearer, and the caller need not ask.
    """
    answer = git.run("rev-list", base, head, "--not", *found)
    return answer.status != 0 or not shallow.isdisjoint(answer.lines)


def criss_cross(bases: tuple[str, ...]) -> tuple[ReadFault, ...]:
    """Return the fault of a history with several merge bases: no single one shows the branch's own change."""
    if len(bases) == 1:
        return ()
    return (
        ReadFault(
            f"the branch and its base have {len(bases)} merge bases, so what the branch changes cannot be told: "
            "merge the base into the branch, or rebase it"
        ),
    )
