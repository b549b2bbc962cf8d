"""Where the token comes from; no text ever repeats it."""

import pytest

from werkrevisor_core.config.sections import GiteaSettings
from werkrevisor_gitea.errors import NoToken
from werkrevisor_gitea.token import Token, read_token

SECRET = "0123456789abcdef"  # noqa: S105 - made up


def test_it_comes_from_the_environment():
    settings = GiteaSettings(token_env="BOT")  # noqa: S106 - the name of a variable
    assert read_token(settings, {"BOT": f" {SECRET}\n"}).reveal() == SECRET


def test_it_comes_from_a_file(tmp_path):
    (tmp_path / "token").write_text(f"{SECRET}\n")
    assert read_token(GiteaSettings(token_file=str(tmp_path / "token")), {}).reveal() == SECRET


@pytest.mark.parametrize("value", ["", "  \n", "two words", "a\nb", "tök", "a\x00b", "a\x7fb"])
def test_what_can_be_no_token_is_refused_without_repeating_it(value):
    settings = GiteaSettings(token_env="BOT")  # noqa: S106 - the name of a variable
    with pytest.raises(NoToken) as caught:
        read_token(settings, {"BOT": value})
    assert str(caught.value).startswith("the environment variable BOT ")
    assert not value.strip() or value.strip() not in str(caught.value)


def test_a_variable_that_is_not_set_is_named():
    settings = GiteaSettings(token_env="BOT")  # noqa: S106 - the name of a variable
    with pytest.raises(NoToken, match="BOT is empty or not set"):
        read_token(settings, {})


def test_no_source_is_one_sentence():
    with pytest.raises(NoToken, match=r"\[gitea\] names no token"):
        read_token(GiteaSettings(), {})


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(NoToken, match=r"nowhere cannot be read \(No such file or directory\)"):
        read_token(GiteaSettings(token_file=str(tmp_path / "nowhere")), {})


def test_a_file_that_is_no_token_file_is_not_read_whole(tmp_path):
    (tmp_path / "token").write_text("x" * 5000)
    with pytest.raises(NoToken, match="larger than 4,096 bytes"):
        read_token(GiteaSettings(token_file=str(tmp_path / "token")), {})


@pytest.mark.parametrize("shown", [repr, str, "{}".format, "{!r}".format, lambda token: repr([token])])
def test_it_does_not_show(shown):
    assert SECRET not in shown(Token(SECRET))
