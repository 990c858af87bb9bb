// Where the dashboard's connection goes: the scheme is known here only, behind a proxy with TLS too.
document.addEventListener("DOMContentLoaded", () => {
  const scheme = location.protocol === "https:" ? "wss://" : "ws://";
  document.getElementById("terminal").dataset.sessionWebsocketUrl = scheme + location.host + "/ws";
});
