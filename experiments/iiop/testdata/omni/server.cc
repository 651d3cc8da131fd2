// An omniORB server of Interop::EchoFactory. It prints the factory's
// reference and ends when its standard input does.
#include <omniORB4/CORBA.h>

#include <iostream>
#include <string>

#include "interop.hh"

class EchoServant : public POA_Interop::Echo {
  omni_mutex lock_;
  CORBA::ULong notes_ = 0;

 public:
  char* text(const char* value) override { return CORBA::string_dup(value); }

  Interop::Blob* octets(const Interop::Blob& value) override { return new Interop::Blob(value); }

  Interop::Numbers sums(const Interop::Numbers& v, CORBA::Octet shift) override {
    Interop::Numbers r = v;
    r.flag = !v.flag;
    r.letter = v.letter + 1;
    r.small += shift;
    r.s += shift;
    r.us += shift;
    r.l += shift;
    r.ul += shift;
    r.ll += shift;
    r.ull += shift;
    r.f += shift;
    r.d += shift;
    return r;
  }

  void refuse(const char* reason, CORBA::Long code) override { throw Interop::Refused(reason, code); }

  void note(const char*) override {
    omni_mutex_lock held(lock_);
    notes_++;
  }

  CORBA::ULong notes() override {
    omni_mutex_lock held(lock_);
    return notes_;
  }

  Interop::Echo_ptr self() override { return _this(); }
};

class FactoryServant : public POA_Interop::EchoFactory {
  EchoServant* shared_ = new EchoServant;

 public:
  Interop::Echo_ptr createEcho(const char*) override { return (new EchoServant)->_this(); }

  Interop::Echo_ptr sharedEcho() override { return shared_->_this(); }

  CORBA::Boolean same(Interop::Echo_ptr one, Interop::Echo_ptr other) override { return one->_is_equivalent(other); }
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    // Objects of this adapter bear the keys that they are given, so that
    // corbaloc:iiop:1.0@HOST:PORT/EchoFactory leads to the factory.
    CORBA::Object_var object = orb->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var named = PortableServer::POA::_narrow(object);
    object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    named->the_POAManager()->activate();
    root->the_POAManager()->activate();

    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("EchoFactory");
    FactoryServant* factory = new FactoryServant;
    named->activate_object_with_id(id, factory);
    CORBA::Object_var reference = named->id_to_reference(id);
    CORBA::String_var text = orb->object_to_string(reference);
    std::cout << text << std::endl;

    std::string line;
    while (std::getline(std::cin, line)) {
    }
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::cerr << "server: " << e._name() << std::endl;
    return 1;
  }
}
