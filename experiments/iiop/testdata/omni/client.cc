// An omniORB client that goes through all operations of Interop::EchoFactory,
// whose reference is its last argument. It prints what is not as it should
// be, and "ok" at the end where all is.
#include <omniORB4/CORBA.h>

#include <cstring>
#include <iostream>
#include <string>

#include "interop.hh"

static int wrong = 0;

static void want(bool holds, const char* what) {
  if (!holds) {
    std::cout << "client: " << what << std::endl;
    wrong++;
  }
}

static void strings(Interop::Echo_ptr echo) {
  const std::string values[] = {"", "a", "na\xefve caf\xe9", std::string(70000, 'x')};
  for (const std::string& value : values) {
    CORBA::String_var got = echo->text(value.c_str());
    want(value == got.in(), "text came back changed");
  }
}

static void blobs(Interop::Echo_ptr echo) {
  for (CORBA::ULong n : {0u, 1u, 2048u, 100000u}) {
    Interop::Blob value;
    value.length(n);
    for (CORBA::ULong i = 0; i < n; i++) value[i] = i * 7;
    Interop::Blob_var got = echo->octets(value);
    bool same = got->length() == n;
    for (CORBA::ULong i = 0; same && i < n; i++) same = got[i] == value[i];
    want(same, "octets came back changed");
  }
}

static void numbers(Interop::Echo_ptr echo) {
  Interop::Numbers v = {false, 'a', 1, -2, 3, -4, 5, -6, 7, -8.5, 9.25};
  Interop::Numbers r = echo->sums(v, 10);
  want(r.flag && r.letter == 'b' && r.small == 11 && r.s == 8 && r.us == 13 && r.l == 6 && r.ul == 15 && r.ll == 4 &&
           r.ull == 17 && r.f == 1.5 && r.d == 19.25,
       "sums are wrong");
}

static void exceptions(Interop::Echo_ptr echo) {
  try {
    echo->refuse("because", -7);
    want(false, "refuse did not raise");
  } catch (const Interop::Refused& e) {
    want(std::strcmp(e.reason, "because") == 0 && e.code == -7, "Refused has other members");
  }
}

static void references(CORBA::ORB_ptr orb, Interop::EchoFactory_ptr factory) {
  Interop::Echo_var own = factory->createEcho("own");
  Interop::Echo_var shared = factory->sharedEcho();
  Interop::Echo_var self = own->self();
  want(self->_is_equivalent(own), "self is another object");
  want(!shared->_is_equivalent(own), "shared and own are one object");
  want(factory->same(own, self), "the server takes own and self for two objects");
  want(!factory->same(own, shared), "the server takes own and shared for one object");
  want(!own->_non_existent(), "own does not exist");
  want(own->_is_a("IDL:Interop/Echo:1.0"), "own is no Echo");
  want(!own->_is_a("IDL:Interop/EchoFactory:1.0"), "own is an EchoFactory");

  for (int i = 0; i < 20; i++) own->note("noted");
  CORBA::ULong noted = 0; // one-way calls may still be on their way
  for (int i = 0; i < 500 && noted < 20; i++) {
    noted = own->notes();
    if (noted < 20) omni_thread::sleep(0, 10000000);
  }
  want(noted == 20, "one-way calls were lost");
  want(shared->notes() == 0, "one-way calls went to another object");

  CORBA::String_var text = orb->object_to_string(own);
  CORBA::Object_var back = orb->string_to_object(text);
  Interop::Echo_var again = Interop::Echo::_narrow(back);
  want(!CORBA::is_nil(again) && again->notes() == 20, "own is lost through its text");
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->string_to_object(argv[argc - 1]);
    Interop::EchoFactory_var factory = Interop::EchoFactory::_narrow(object);
    if (CORBA::is_nil(factory)) {
      std::cout << "client: this is no EchoFactory" << std::endl;
      return 1;
    }
    Interop::Echo_var echo = factory->createEcho("first");
    strings(echo);
    blobs(echo);
    numbers(echo);
    exceptions(echo);
    references(orb, factory);
    orb->destroy();
  } catch (const CORBA::SystemException& e) {
    std::cout << "client: " << e._name() << ", minor " << e.minor() << std::endl;
    return 1;
  } catch (const CORBA::Exception& e) {
    std::cout << "client: " << e._name() << std::endl;
    return 1;
  }
  if (wrong) return 1;
  std::cout << "ok" << std::endl;
  return 0;
}
