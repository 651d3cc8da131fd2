package main

import (
	"fieldbook/analysis"
	"fieldbook/internal/session"
)

// clientRows reads what clients did, of the sessions that have any.
func clientRows(data *session.Dataset) (map[string]*analysis.ClientRows, error) {
	var all map[string]*analysis.ClientRows
	for _, s := range data.Sessions {
		var rows *analysis.ClientRows
		for row, err := range s.Clients() {
			if err != nil {
				return nil, err
			}
			if rows == nil {
				rows = &analysis.ClientRows{Columns: s.ClientColumns}
			}
			rows.Add(row)
		}
		if rows == nil {
			continue
		}
		if all == nil {
			all = map[string]*analysis.ClientRows{}
		}
		all[s.Session] = rows
	}
	return all, nil
}
