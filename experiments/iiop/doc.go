// Package iiop speaks CORBA's wire protocol: GIOP 1.0 over TCP, which is
// IIOP 1.0. Both old studies that are repeated here ran over it, so their
// workloads run over it again.
//
// It knows CDR in both byte orders with its alignment (boolean, char, octet,
// the integers of 16, 32 and 64 bits, float, double, string, sequences and
// object references), stringified references (IOR: and corbaloc:), and the
// messages Request, Reply (no exception, user exception, system exception,
// location forward), CancelRequest, LocateRequest, LocateReply,
// CloseConnection and MessageError. A [Conn] is a client's connection: it
// makes one call at a time, or sends a [Batch] of requests before it reads
// their replies. A [Server] keeps objects by their keys and reads, decodes
// and executes requests by one of three dispatchers.
//
// It refuses GIOP 1.1 and later, and so fragments and bidirectional
// connections: a peer that sends such a header gets a MessageError. (Our
// references carry an IIOP 1.0 profile, by which any ORB speaks 1.0 to us.)
// It knows no code set negotiation, so a string is ISO 8859-1 on the wire and
// one with other characters is refused; no wide characters, fixed, any or
// type codes; no security; and no interface repository or code from IDL:
// operations are functions over a [Decoder] and an [Encoder].
//
// What a peer says is never believed: each length is compared with the bytes
// that are there before anything is allocated for it, messages above a limit
// are refused by their header, and whatever cannot be read ends in an error.
package iiop
