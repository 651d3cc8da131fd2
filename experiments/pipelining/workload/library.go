package main

import (
	"bytes"
	"fmt"
)

const (
	databases    = 2
	documents    = 50      // in each database
	documentSize = 2 << 10 // bytes of each body
)

// library has the bodies of all documents, by database and number. It is the
// same in every server and client and never changes, so that a client can
// tell a wrong document from a right one.
var library = fillLibrary()

func fillLibrary() (bodies [databases][documents][]byte) {
	for db := range bodies {
		for n := range bodies[db] {
			line := fmt.Appendf(nil, "database %d, document %02d. ", db, n)
			bodies[db][n] = bytes.Repeat(line, documentSize/len(line)+1)[:documentSize]
		}
	}
	return bodies
}

// isDocument reports whether a body is that of the document with this number
// in this database.
func isDocument(db, number uint32, body []byte) bool {
	return db < databases && number < documents && bytes.Equal(body, library[db][number])
}
