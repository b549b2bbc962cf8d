"""What each grammar calls the things that `syntax` knows: one row per language."""

from collections.abc import Mapping
from typing import Final

from attrs import field

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.syntax import Kind


@frozen
class Grammar:
    """How the grammar of a language is read.

    `module` and `entry` name the grammar's package and the function that gives its language. `kinds`
    maps node types to kinds; `roles` maps (type, field or `#position`) to roles. `containers` are
    descended into when tests are listed, `declarations` are listed. `marks` are annotations and
    attributes.
    """

    module: str
    entry: str
    kinds: Mapping[str, Kind]
    roles: Mapping[tuple[str, str], str]
    containers: frozenset[str]
    scopes: frozenset[str]
    functions: frozenset[str]
    constants: frozenset[str]
    marks: frozenset[str]
    strings: frozenset[str]
    comments: frozenset[str] = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
    conditions: frozenset[str] = field(default=frozenset())


def _kinds(**types: str) -> dict[str, Kind]:
    return {name: Kind[kind.upper()] for kind, names in types.items() for name in names.split()}


_COMMON: Final = _kinds(
    call="call_expression method_invocation invocation_expression infix_expression",
    member="member_expression field_access navigation_expression selector_expression field_expression "
    "scoped_identifier member_access_expression",
    args="arguments argument_list value_arguments",
    **{
        "lambda": "lambda_expression lambda_literal anonymous_function arrow_function function_expression func_literal "
        "closure_expression anonymous_method_expression"
    },
    **{
        "if": "if_statement if_expression ternary_expression switch_statement switch_expression when_expression "
        "expression_switch_statement type_switch_statement select_statement match_expression conditional_expression"
    },
    loop="for_statement enhanced_for_statement while_statement do_statement do_while_statement for_in_statement "
    "for_expression while_expression foreach_statement",
    **{"try": "try_statement try_with_resources_statement try_expression"},
    catch="catch_clause catch_block",
    **{"finally": "finally_clause finally_block"},
    **{"return": "return_statement return_expression"},
    throw="throw_statement throw_expression",
    function="method_declaration function_declaration constructor_declaration function_item "
    "local_function_statement generator_function_declaration secondary_constructor",
    **{"class": "class_declaration object_declaration"},
    block="block statement_block statement_list control_structure_body",
    string="string_literal string template_string interpreted_string_literal raw_string_literal rune_literal "
    "char_literal character_literal verbatim_string_literal interpolated_string_expression multiline_string_literal",
    number="number number_literal decimal_integer_literal hex_integer_literal decimal_floating_point_literal "
    "int_literal float_literal integer_literal real_literal float_literal",
    name="identifier type_identifier property_identifier field_identifier package_identifier this self",
    constant="true false null nil null_literal boolean_literal undefined",
    collection="array object array_initializer element_value_array_initializer composite_literal array_expression "
    "initializer_expression collection_expression collection_literal",
    binary="binary_expression equality_expression comparison_expression in_expression instanceof_expression "
    "is_pattern_expression is_expression conjunction_expression disjunction_expression check_expression",
    unary="unary_expression prefix_unary_expression prefix_expression",
    **{"await": "await_expression"},
    assign="variable_declarator assignment_expression short_var_declaration var_spec assignment_statement "
    "let_declaration property_declaration const_spec const_item static_item",
    **{"assert": "assert_statement"},
)

_ROLES: Final = {
    ("method_invocation", "object"): "object",
    ("method_invocation", "name"): "name",
    ("method_invocation", "arguments"): "args",
    ("call_expression", "function"): "callee",
    ("call_expression", "arguments"): "args",
    ("invocation_expression", "function"): "callee",
    ("invocation_expression", "arguments"): "args",
    ("field_access", "object"): "object",
    ("field_access", "field"): "name",
    ("member_expression", "object"): "object",
    ("member_expression", "property"): "name",
    ("selector_expression", "operand"): "object",
    ("selector_expression", "field"): "name",
    ("field_expression", "value"): "object",
    ("field_expression", "field"): "name",
    ("scoped_identifier", "path"): "object",
    ("scoped_identifier", "name"): "name",
    ("member_access_expression", "expression"): "object",
    ("member_access_expression", "name"): "name",
    ("for_in_statement", "right"): "subject",
    ("enhanced_for_statement", "value"): "subject",
    ("foreach_statement", "right"): "subject",
    ("for_expression", "value"): "subject",
    ("variable_declarator", "name"): "name",
    ("variable_declarator", "value"): "value",
    ("short_var_declaration", "left"): "name",
    ("short_var_declaration", "right"): "value",
    ("assignment_statement", "left"): "name",
    ("assignment_statement", "right"): "value",
    ("assignment_expression", "left"): "name",
    ("assignment_expression", "right"): "value",
    ("var_spec", "name"): "name",
    ("var_spec", "value"): "value",
    ("let_declaration", "pattern"): "name",
    ("let_declaration", "value"): "value",
    ("const_item", "name"): "name",
    ("const_item", "value"): "value",
    ("static_item", "name"): "name",
    ("static_item", "value"): "value",
    **{
        (type_, name): name
        for type_ in (
            "if_statement",
            "if_expression",
            "ternary_expression",
            "conditional_expression",
            "try_statement",
            "try_with_resources_statement",
            "catch_clause",
            "for_statement",
            "method_declaration",
            "function_declaration",
            "function_item",
            "arrow_function",
            "function_expression",
            "lambda_expression",
            "func_literal",
            "closure_expression",
            "match_expression",
            "switch_statement",
            "local_function_statement",
            "while_statement",
            "while_expression",
        )
        for name in ("condition", "consequence", "alternative", "body", "handler", "name", "parameters", "value")
    },
    **{
        (type_, name): name
        for type_ in ("binary_expression", "instanceof_expression", "infix_expression", "is_pattern_expression")
        for name in ("left", "right")
    },
    ("element_value_pair", "key"): "keyword",
    ("element_value_pair", "value"): "value",
    ("argument", "name"): "keyword",
    ("attribute_argument", "name"): "keyword",
    ("pair", "key"): "keyword",
    ("pair", "value"): "value",
}

_KOTLIN_ROLES: Final = {
    **{key: role for key, role in _ROLES.items() if key[0] != "call_expression"},
    ("call_expression", "#0"): "callee",
    ("call_expression", "value_arguments"): "args",
    ("call_expression", "annotated_lambda"): "lambda",
    ("call_expression", "type_arguments"): "types",
    ("navigation_expression", "#0"): "object",
    ("navigation_expression", "#last"): "name",
    ("infix_expression", "#0"): "object",
    ("infix_expression", "#1"): "name",
    ("infix_expression", "#last"): "args",
    ("property_declaration", "variable_declaration"): "name",
    ("property_declaration", "#last"): "value",
    ("catch_block", "block"): "body",
    ("try_expression", "block"): "body",
}

_NONE: Final[frozenset[str]] = frozenset()
_JS_STRINGS: Final = frozenset({"string", "template_string", "regex"})


def _javascript(module: str, entry: str) -> Grammar:
    return Grammar(
        module,
        entry,
        {**_COMMON, "internal_module": Kind.OTHER},
        {**_ROLES, ("call_expression", "type_arguments"): "types"},
        containers=frozenset({"program", "export_statement", "class_body"}),
        scopes=_NONE,
        functions=frozenset({"function_declaration", "generator_function_declaration", "method_definition"}),
        constants=frozenset({"lexical_declaration", "variable_declaration"}),
        marks=_NONE,
        strings=_JS_STRINGS,
    )


GRAMMARS: Final[Mapping[str, Grammar]] = {
    "java": Grammar(
        "tree_sitter_java",
        "language",
        _COMMON,
        _ROLES,
        containers=frozenset({"program", "class_body", "enum_body", "enum_body_declarations", "interface_body"}),
        scopes=frozenset({"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}),
        functions=frozenset({"method_declaration", "constructor_declaration"}),
        constants=frozenset({"field_declaration"}),
        marks=frozenset({"annotation", "marker_annotation"}),
        strings=frozenset({"string_literal", "character_literal"}),
    ),
    "kotlin": Grammar(
        "tree_sitter_kotlin",
        "language",
        {**_COMMON, "try_expression": Kind.TRY},
        _KOTLIN_ROLES,
        containers=frozenset({"source_file", "class_body", "enum_class_body"}),
        scopes=frozenset({"class_declaration", "object_declaration", "companion_object"}),
        functions=frozenset({"function_declaration", "secondary_constructor"}),
        constants=frozenset({"property_declaration"}),
        marks=frozenset({"annotation", "file_annotation"}),
        strings=frozenset({"string_literal", "character_literal", "multiline_string_literal"}),
    ),
    "javascript": _javascript("tree_sitter_javascript", "language"),
    "typescript": _javascript("tree_sitter_typescript", "language_typescript"),
    "tsx": _javascript("tree_sitter_typescript", "language_tsx"),
    "go": Grammar(
        "tree_sitter_go",
        "language",
        _COMMON,
        {**_ROLES, ("range_clause", "right"): "subject", ("keyed_element", "value"): "value"},
        containers=frozenset({"source_file"}),
        scopes=_NONE,
        functions=frozenset({"function_declaration", "method_declaration"}),
        constants=frozenset({"var_declaration", "const_declaration"}),
        marks=_NONE,
        strings=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        "language",
        {**_COMMON, "try_expression": Kind.OTHER, "tuple_expression": Kind.COLLECTION},
        {**_ROLES, ("generic_function", "function"): "callee", ("generic_function", "type_arguments"): "types"},
        containers=frozenset({"source_file", "declaration_list"}),
        scopes=frozenset({"mod_item", "impl_item"}),
        functions=frozenset({"function_item"}),
        constants=frozenset({"const_item", "static_item"}),
        marks=frozenset({"attribute_item", "inner_attribute_item"}),
        strings=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    ),
    "csharp": Grammar(
        "tree_sitter_c_sharp",
        "language",
        _COMMON,
        {**_ROLES, ("variable_declarator", "#1"): "value"},
        containers=frozenset({"compilation_unit", "declaration_list", "preproc_if", "preproc_else", "preproc_elif"}),
        scopes=frozenset(
            {
                "namespace_declaration",
                "file_scoped_namespace_declaration",
                "class_declaration",
                "struct_declaration",
                "record_declaration",
            }
        ),
        functions=frozenset({"method_declaration", "constructor_declaration"}),
        constants=frozenset({"field_declaration", "property_declaration"}),
        marks=frozenset({"attribute"}),
        strings=frozenset(
            {
                "string_literal",
                "verbatim_string_literal",
                "interpolated_string_expression",
                "raw_string_literal",
                "character_literal",
            }
        ),
        conditions=frozenset({"preproc_if", "preproc_else", "preproc_elif"}),
    ),
}
"""The grammars by language; Python has its own parser."""
