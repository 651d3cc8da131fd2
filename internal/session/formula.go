package session

import "strings"

// A spreadsheet that opens a CSV file takes a cell that begins with one of
// = + - @, a tab or a carriage return for a formula, quoted or not, and a
// formula of a stranger's may send what it finds to somebody, or start a
// program. Such a text gets an apostrophe before it when it is written, and
// loses it when it is read; a text that begins with apostrophes and then as a
// formula does gets one more, so that each text reads back as it was. Numbers,
// and flags such as -O2 or +sse, of which no function, link or command can be
// made, stay as they are.

// Guarded is a text as it is written into a cell.
func Guarded(text string) string {
	if formula(strings.TrimLeft(text, "'")) {
		return "'" + text
	}
	return text
}

// unguarded is the text that a cell was written for.
func unguarded(cell string) string {
	if text, ok := strings.CutPrefix(cell, "'"); ok && formula(strings.TrimLeft(text, "'")) {
		return text
	}
	return cell
}

func formula(text string) bool {
	if text == "" {
		return false
	}
	switch text[0] {
	case '=', '@', '\t', '\r':
		return true
	case '+', '-':
		return strings.ContainsFunc(text, func(r rune) bool { return !harmless(r) })
	}
	return false
}

// harmless are the characters of numbers and flags. No call, quoted text,
// reference to another file, or command can be made of them.
func harmless(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("+-._,:=/% ", r)
}
