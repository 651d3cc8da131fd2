package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"fieldbook/internal/diag"
	"fieldbook/internal/session"
)

func badFormat(format string) error {
	return usage("--format is %q, want text, json or csv", format)
}

// checkFormat is an error of usage where a verb cannot print in a format.
func checkFormat(format string) error {
	switch format {
	case "text", "json", "csv":
		return nil
	}
	return badFormat(format)
}

// writeCSV writes a table in which no cell is a formula to a spreadsheet. On a
// terminal control characters are shown as escapes; elsewhere cells are exact.
func writeCSV(w io.Writer, head []string, rows [][]string) error {
	c := csv.NewWriter(w)
	for _, row := range append([][]string{head}, rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cells[i] = session.Guarded(cell); isTerminal(w) {
				cells[i] = diag.Printable(cells[i])
			}
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// writeJSON prints a value. What diag.Printable would replace stands as an
// escape of JSON, so that any reader gets the text as it was, and a terminal
// nothing that moves its cursor or turns its lines.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// escapeHidden writes the hidden characters of a JSON text as \uXXXX, those
// beyond U+FFFF in two halves. Outside of strings JSON has none but line breaks.
func escapeHidden(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n' || !diag.Hidden(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			out = append(out, diag.Escape(high)+diag.Escape(low)...)
		default:
			out = append(out, diag.Escape(r)...)
		}
	}
	return out
}

// writeTable prints a table as json or csv.
func (a *app) writeTable(format string, head []string, rows [][]string) error {
	if format == "json" {
		return writeJSON(a.stdout, objects(head, rows))
	}
	return writeCSV(a.stdout, head, rows)
}

// objects turns rows into one JSON object each, all values text.
func objects(head []string, rows [][]string) []map[string]string {
	out := make([]map[string]string, len(rows))
	for i, row := range rows {
		out[i] = map[string]string{}
		for j, cell := range row {
			out[i][head[j]] = cell
		}
	}
	return out
}
