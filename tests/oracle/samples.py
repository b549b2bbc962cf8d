"""One source text per language, with the places in it where an import-looking line is none."""

SAMPLES = {
    "src/main/java/shop/Cart.java": '''\
package shop;

import java.util.ArrayList;
import java.util.List;

import static shop.Prices.total;

/** A cart. */
@Entity
public class Cart {
    // import java.util.Map;
    private static final String GENERATED = """
        package out;

        import java.util.List;
        """;
    private final List<String> items = new ArrayList<>();

    /* import java.util.Set;
     */
    boolean add(String item, int count) {
        if (count > 0 && !item.isEmpty()) {
            items.add(item + "  x" + count);
        }
        return total(items) > 0;
    }
}
''',
    "src/main/kotlin/shop/Cart.kt": '''\
package shop

import java.util.Locale
import shop.prices.total as sum

class Cart(private val items: List<String>) {
    // import java.util.Date
    val text = """
        import java.util.Date
          ${items.size}
    """.trimIndent()

    fun price(): Int {
        val base = 1
        + 2
        return sum(items)
    }
}
''',
    "src/cart.ts": """\
import { a, b } from './a';
import type { T } from './t';
import {
  c,
  d,
} from './c';
import './side';
import e, * as f from 'f';

// import { x } from './x';
const text = `
import { g } from './g';
  ${a(b)}
`;
export const h = (t: T) => {
  const r = /a  b/g;
  return c(d, e, f, text, r, t)
};
""",
    "src/view.jsx": """\
'use client';
import React from 'react';
import { Box } from './box';

export function View({ items }) {
  return (
    <Box>
      import this text
      {items.map((item) => <p key={item}>{item}  </p>)}
    </Box>
  );
}
""",
    "cmd/main.go": """\
// Package main runs.
package main

import (
	"fmt"
	_ "net/http/pprof"

	m "math/rand"
)

//go:generate stringer
const text = `
import "os"
`

var names = []string{
	"fmt",
}

func main() {
	fmt.Println(m.Int(), text, names) // done
}
""",
    "src/lib.rs": """\
//! A crate.
use std::collections::HashMap;
use std::{
    fmt,
    io::{Read, Write},
};

#[cfg(test)]
use std::sync::Mutex;

mod inner;
pub use inner::Thing;

const TEXT: &str = r#"
use std::fs;
"#;

pub fn run(map: &HashMap<u8, u8>) -> bool {
    use std::mem::swap;
    // use std::net;
    println!("a  b {}", map.len());
    map.is_empty()
}
""",
    "src/cart.c": """\
#include <stdio.h>
#define CHECK(x) \\
  if (!(x)) \\
    return -1

// a comment \\
static int hidden;

int add(int count) {
  CHECK(count);
  printf("a  b %d\\n", count);
  /* done
   */
  return 'a' + count;
}
""",
    "src/cart.cpp": """\
#include <string>

static const char* text = R"(
import a
  b
)";

int add(int count) {
  if (count)
    return 1;
  return text[0];
}
""",
}
