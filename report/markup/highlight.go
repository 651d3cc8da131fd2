package markup

import (
	"embed"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// mostHighlighted is how many bytes of code are taken apart; more is shown
// plain, since it would take long and help nobody.
const mostHighlighted = 50_000

// Highlight is code as HTML: of a language that is known, comments, keywords,
// texts, numbers and names stand in spans of the classes hc, hk, hs, hn and
// ht, which a page colours. The text that it shows is the text given.
func Highlight(lang, code string) (html string) {
	lexer := lexerOf(lang)
	if lexer == nil || len(code) > mostHighlighted {
		return EscapeHTML(code)
	}
	defer func() { // chroma reports a failure within its iterator by a panic
		if recover() != nil {
			html = EscapeHTML(code)
		}
	}()
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return EscapeHTML(code)
	}
	html, shown := coloured(tokens)
	if strings.TrimRight(shown, "\n") != strings.TrimRight(code, "\n") {
		return EscapeHTML(code) // a lexer that changes the text is of no use
	}
	return html
}

// coloured are tokens as HTML, neighbours of one class in one span, and the
// text that it shows.
func coloured(tokens chroma.Iterator) (html, shown string) {
	var b, all, run strings.Builder
	class := ""
	flush := func() {
		text := EscapeHTML(run.String())
		if class != "" && strings.TrimSpace(text) != "" {
			text = `<span class="` + class + `">` + text + "</span>"
		}
		b.WriteString(text)
		run.Reset()
	}
	for t := tokens(); t != chroma.EOF; t = tokens() {
		all.WriteString(t.Value)
		if c := classOf(t.Type); c != class {
			flush()
			class = c
		}
		run.WriteString(t.Value)
	}
	flush()
	return b.String(), all.String()
}

// classOf is the class of a kind of token, "" for what has no colour.
func classOf(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "hc"
	case t.InCategory(chroma.Keyword), t == chroma.OperatorWord:
		return "hk"
	case t.InSubCategory(chroma.LiteralString):
		return "hs"
	case t.InSubCategory(chroma.LiteralNumber):
		return "hn"
	case t == chroma.NameTag, t == chroma.NameAttribute, t == chroma.NameFunction, t == chroma.NameBuiltin, t == chroma.NameVariable:
		return "ht"
	}
	return ""
}

// Chroma's own package of lexers reads all of its 279 languages when a
// program starts, which every verb would pay for; these are those that a
// notebook meets and that serve it well, as they stand in chroma v2.27.0, read when they are needed.
//
//go:embed lexers/*.xml
var lexerFiles embed.FS

// languages are the files of the lexers by what a fence may call them.
var languages = map[string]string{
	"sh": "bash", "shell": "bash", "bash": "bash", "zsh": "bash", "c": "c", "h": "c", "cpp": "cpp", "c++": "cpp", "cc": "cpp",
	"diff": "diff", "patch": "diff", "ini": "ini", "java": "java", "js": "javascript", "javascript": "javascript",
	"json": "json", "py": "python", "python": "python", "r": "r", "rs": "rust", "rust": "rust", "sql": "sql", "toml": "toml",
	"yaml": "yaml", "yml": "yaml", "awk": "awk", "bibtex": "bibtex", "go": "go", "golang": "go",
}

var lexers struct {
	sync.Mutex
	read map[string]chroma.Lexer
}

// lexerOf is the lexer of a language; nil where it is not known.
func lexerOf(lang string) chroma.Lexer {
	lang, _, _ = strings.Cut(strings.TrimSpace(lang), " ")
	name := languages[strings.ToLower(lang)]
	if name == "" {
		return nil
	}
	lexers.Lock()
	defer lexers.Unlock()
	if lexers.read == nil {
		lexers.read = map[string]chroma.Lexer{}
	}
	if lexers.read[name] == nil {
		lexers.read[name] = readLexer(name)
	}
	return lexers.read[name]
}

func readLexer(name string) chroma.Lexer {
	switch name {
	case "go":
		return chroma.MustNewLexer(&chroma.Config{Name: "Go"}, goRules)
	case "yaml":
		return chroma.MustNewLexer(&chroma.Config{Name: "YAML"}, yamlRules)
	}
	return chroma.MustNewXMLLexer(lexerFiles, "lexers/"+name+".xml")
}

// goRules are those of Go, for which chroma has no file.
func goRules() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n\r]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*(.|\n)*?\*/`, Type: chroma.CommentMultiline},
		{Pattern: `(break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|interface|map|package|range|return|select|struct|switch|type|var)\b`, Type: chroma.Keyword},
		{Pattern: `(true|false|iota|nil)\b`, Type: chroma.KeywordConstant},
		{Pattern: `0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(\.[0-9_]*)?([eE][+-]?[0-9]+)?`, Type: chroma.LiteralNumber},
		{Pattern: `'(\\.[^']*|[^\\'])'`, Type: chroma.LiteralStringChar},
		{Pattern: "`[^`]*`", Type: chroma.LiteralString},
		{Pattern: `"(\\\\|\\"|[^"\n])*"`, Type: chroma.LiteralString},
		{Pattern: `[a-zA-Z_]\w*(?=\()`, Type: chroma.NameFunction},
		{Pattern: `[^\W\d]\w*`, Type: chroma.NameOther},
		{Pattern: `.`, Type: chroma.Punctuation},
	}}
}

// yamlRules are those of YAML. Chroma's file takes all of a flow mapping up to
// its last colon for one key.
func yamlRules() chroma.Rules {
	const begin, end = `(?<=(?:^|[\n:,\[{-])[ \t]*)`, `(?=[ \t]*(?:[,\]}]|$|\n|\s#))` // of a plain value
	return chroma.Rules{"root": {
		{Pattern: `(?<=^|\s)#[^\n]*`, Type: chroma.Comment},
		{Pattern: `(?<=[:-][ \t]+)([|>][-+0-9]*[ \t]*\n)((?:(?:[ \t]*\n)*([ ]+)[^\n]*(?:\n(?:\3[^\n]*|[ \t]*(?=\n)))*)?)`, Type: chroma.ByGroups(chroma.Punctuation, chroma.LiteralStringDoc, chroma.Ignore)},
		{Pattern: `("(?:\\.|[^"\\\n])*"|'(?:''|[^'\n])*')(?=[ \t]*:(?:\s|$))`, Type: chroma.NameTag},
		{Pattern: `"(?:\\.|[^"\\])*"|'(?:''|[^'])*'`, Type: chroma.LiteralString},
		{Pattern: `(?:---|\.\.\.)(?=\s|$)`, Type: chroma.Punctuation},
		{Pattern: `[-?](?=\s|$)|[\[\]{},:]`, Type: chroma.Punctuation},
		{Pattern: begin + `(?:true|false|null|~)` + end, Type: chroma.KeywordConstant},
		{Pattern: begin + `[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.(?:inf|nan))` + end, Type: chroma.LiteralNumber},
		{Pattern: `[!&*][^\s,\[\]{}]+`, Type: chroma.Comment},
		{Pattern: `[^\s,\[\]{}:#](?:[^\n,\[\]{}:#]|(?<=\S)[:#](?=\S)){0,80}?(?=[ \t]*:(?:\s|$))`, Type: chroma.NameTag},
		{Pattern: `[^\s,\[\]{}:#]+`, Type: chroma.Text},
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `.`, Type: chroma.Text},
	}}
}
