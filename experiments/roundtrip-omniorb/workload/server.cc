// The round-trip study's server for omniORB: objects whose operations do no
// more than give their arguments back, and the factory that makes them, found
// under corbaloc:iiop:HOST:PORT/RTTFactory. It takes omniORB's own options and
// ends at SIGTERM.
#include <omniORB4/CORBA.h>

#include <atomic>
#include <csignal>
#include <iostream>

#include "rtt.hh"

namespace {

std::atomic<CORBA::ULong> objects{0};
std::atomic<CORBA::ULongLong> calls{0};

class RTTServant : public POA_RTT {
 public:
  RTTServant() { objects++; }

  void sync_VV() override { calls++; }

  CORBA::Long sync_LL(CORBA::Long v) override {
    calls++;
    return v;
  }

  char* sync_SS(const char* v) override {
    calls++;
    return CORBA::string_dup(v);
  }

  Octets* sync_OO(const Octets& v) override {
    calls++;
    return new Octets(v);
  }

  void async_VV() override { calls++; }
};

class FactoryServant : public POA_RTTFactory {
  RTTServant* shared_ = new RTTServant;  // made at start-up

 public:
  RTT_ptr createRTT() override { return (new RTTServant)->_this(); }

  RTT_ptr sharedRTT() override { return shared_->_this(); }

  void counters(CORBA::ULong& made, CORBA::ULongLong& served) override {
    made = objects;
    served = calls;
  }
};

}  // namespace

int main(int argc, char** argv) {
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigaddset(&end, SIGINT);
  pthread_sigmask(SIG_BLOCK, &end, nullptr);  // before the ORB starts threads, which inherit it
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var named = PortableServer::POA::_narrow(object);
    object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("RTTFactory");
    named->activate_object_with_id(id, new FactoryServant);
    named->the_POAManager()->activate();
    root->the_POAManager()->activate();
    int signal = 0;
    sigwait(&end, &signal);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::cerr << "server: " << e._name() << std::endl;
    return 1;
  }
}
