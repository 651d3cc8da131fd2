(function(){var r=document.documentElement;r.className="js";try{var t=localStorage.getItem("fieldbook-theme");if(t==="light"||t==="dark")r.setAttribute("data-theme",t)}catch(e){}})();
