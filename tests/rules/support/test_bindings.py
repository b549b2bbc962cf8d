from werkrevisor_rules._support.bindings import Binding, rebindings


def test_a_name_that_many_wildcards_may_bind_names_the_first_five():
    wildcards = [Binding("*", f"p{place}.*") for place in range(9)]
    (found,) = rebindings([Binding("A", "q.A")], wildcards)
    assert (found.name, found.was, found.now) == ("A", "q.A", "p0.*, p1.*, p2.*, p3.*, p4.*")


def test_a_wildcard_that_covers_the_name_does_not_bind_it_anew():
    assert rebindings([Binding("A", "q.A")], [Binding("*", "q.*")]) == ()
    (found,) = rebindings([Binding("*", "q.*"), Binding("*", "p.*")], [Binding("A", "q.A")])
    assert (found.was, found.now) == ("p.*", "q.A")


def test_a_name_of_very_many_origins_counts_as_bound_anew_by_a_wildcard():
    gone = [Binding("A", f"q{place}.A") for place in range(21)]
    (found,) = rebindings(gone, [Binding("*", "q3.*")])
    assert found.now == "q3.*"


def test_all_origins_of_a_name_are_told_in_their_order():
    (found,) = rebindings([Binding("A", "z.A"), Binding("A", "b.A")], [Binding("A", "c.A")])
    assert (found.was, found.now) == ("b.A, z.A", "c.A")
