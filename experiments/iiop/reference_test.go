package iiop

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// omniIOR was written by omniORB 4.2.5 for the object EchoFactory at
// 127.0.0.1:41007: a little-endian IIOP 1.2 profile with two components.
const omniIOR = "IOR:010000001c00000049444c3a496e7465726f702f4563686f466163746f72793a312e300001000000000000005c000000010102000a0000003132372e302e302e31002fa00b0000004563686f466163746f7279000200000000000000080000000100000000545441010000001c00000001000000010001000100000001000105090101000100000009010100"

func TestReferenceOfAnotherORBIsRead(t *testing.T) {
	ref, err := ParseReference(strings.Replace(omniIOR, "IOR", "ior", 1))
	if err != nil {
		t.Fatal(err)
	}
	at, err := ref.Address()
	if err != nil {
		t.Fatal(err)
	}
	check(t, "type", ref.Type, "IDL:Interop/EchoFactory:1.0")
	check(t, "address", at.HostPort(), "127.0.0.1:41007")
	check(t, "key", string(at.Key), "EchoFactory")
}

func TestReferenceIsWrittenAsIIOP10(t *testing.T) {
	ref, err := NewIOR("IDL:RTT:1.0", Address{Host: "127.0.0.1", Port: 2809, Key: []byte("rtt")})
	if err != nil {
		t.Fatal(err)
	}
	want := "IOR:" + // CORBA 2.0, section 10.6 and 12.7.2
		"01000000" + // little-endian, padding
		"0c000000" + hex.EncodeToString([]byte("IDL:RTT:1.0\x00")) +
		"01000000" + // one profile
		"00000000" + "1b000000" + // IIOP, 27 bytes
		"01" + "0100" + "00" + // little-endian, version 1.0, padding
		"0a000000" + hex.EncodeToString([]byte("127.0.0.1\x00")) +
		"f90a" + // port 2809, aligned as it stands
		"03000000" + hex.EncodeToString([]byte("rtt"))
	check(t, "reference", ref.String(), want)
	back, err := ParseReference(want)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "reference read back", back.String(), want)
}

func TestNilReference(t *testing.T) {
	ref, err := ParseReference(IOR{}.String())
	if err != nil || !ref.IsNil() {
		t.Errorf("the nil reference is read as %v, %v", ref, err)
	}
	if _, err := ref.Address(); err == nil {
		t.Error("the nil reference has an address, want an error")
	}
}

func TestCorbaloc(t *testing.T) {
	tests := []struct{ text, hostPort, key string }{
		{"corbaloc::127.0.0.1:4000/RTTFactory", "127.0.0.1:4000", "RTTFactory"},
		{"corbaloc:iiop:localhost/a%20b/c", "localhost:2809", "a b/c"},
		{"corbaloc:iiop:1.2@[::1]:5/k", "[::1]:5", "k"},
		{"corbaloc::[::1]/k", "[::1]:2809", "k"},
	}
	for _, tt := range tests {
		ref, err := ParseReference(tt.text)
		if err != nil {
			t.Errorf("ParseReference(%q): %v", tt.text, err)
			continue
		}
		at, err := ref.Address()
		if err != nil || at.HostPort() != tt.hostPort || string(at.Key) != tt.key {
			t.Errorf("ParseReference(%q) leads to %s, key %q, %v, want %s, %q", tt.text, at.HostPort(), at.Key, err, tt.hostPort, tt.key)
		}
	}
}

func TestReferencesThatAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "IOR", "IOR:", "IOR:0", "IOR:zz", "IOR:02", "IOR:00000000ffffffff", omniIOR[:80],
		"http://localhost/", "corbaloc:", "corbaloc::host", "corbaloc::host/", "corbaloc::/key",
		"corbaloc:rir:/NameService", "corbaloc::a,:b/key", "corbaloc::host:70000/k", "corbaloc::a:b:c/k",
		"corbaloc:iiop:2.0@host/k", "corbaloc::host/%zz", "corbaloc::hostΩ/k",
	} {
		if ref, err := ParseReference(text); !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrUnencodable) {
			t.Errorf("ParseReference(%q) = %v, %v, want an error", text, ref, err)
		}
	}
}

func TestProfilesThatCannotBeUsed(t *testing.T) {
	for name, profile := range map[string]Profile{
		"another protocol": {Tag: 1, Data: []byte{1}},
		"IIOP 2.0":         {Tag: tagIIOP, Data: []byte{1, 2, 0, 0, 2, 0, 0, 0, 'h', 0, 1, 0, 0, 0, 0, 0}},
		"empty host":       {Tag: tagIIOP, Data: []byte{1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}},
		"cut short":        {Tag: tagIIOP, Data: []byte{1, 1, 0, 0, 2, 0, 0, 0, 'h', 0, 1, 0}},
	} {
		ref := IOR{Type: "IDL:X:1.0", Profiles: []Profile{profile}}
		if at, err := ref.Address(); err == nil {
			t.Errorf("%s: address %v, want an error", name, at)
		}
	}
}

// FuzzParseReference holds that what is read is written and read back the
// same.
func FuzzParseReference(f *testing.F) {
	f.Add(omniIOR)
	f.Add("IOR:" + strings.Repeat("00", 12))
	f.Add("corbaloc:iiop:1.0@127.0.0.1:2809/RTTFactory")
	f.Add("corbaloc::[::1]/a%2Fb")
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := ParseReference(text)
		if err != nil {
			return
		}
		ref.Address()
		back, err := ParseReference(ref.String())
		if err != nil || back.String() != ref.String() {
			t.Errorf("%q reads as %v, which reads back as %v, %v", text, ref, back, err)
		}
	})
}
