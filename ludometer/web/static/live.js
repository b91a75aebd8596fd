// One WebSocket for a page.  It comes back by itself after a lost connection or a restart of the server, and then starts with a snapshot.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;
const GONE = 4404;

export class Live {
  /**
   * @param {string} topic
   * @param {{snapshot: (state: any) => void, change: (change: any) => void, gone?: () => void}} handlers
   */
  constructor(topic, handlers) {
    this.topic = topic;
    this.handlers = handlers;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.connect();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/live/${this.topic}`);
    this.socket.onmessage = (event) => {
      this.wait = FIRST_WAIT;
      showConnection("");
      const message = JSON.parse(event.data);
      if (message.snapshot !== undefined) this.handlers.snapshot(message.snapshot);
      for (const change of message.changes ?? []) this.handlers.change(change);
    };
    this.socket.onclose = (event) => {
      if (this.closed) return;
      if (event.code === GONE) {
        this.closed = true;
        this.handlers.gone?.();
        return;
      }
      showConnection("Connection lost. Trying again …");
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 1.6);
    };
  }

  /** Try again now, if nothing is open. */
  hurry = () => {
    if (this.closed || document.hidden || this.socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT;
    this.connect();
  };

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    const socket = this.socket;
    socket.onmessage = null;
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // browsers complain of one that is closed before it is open
    else socket.close();
  }
}

/** @param {string} text */
function showConnection(text) {
  const place = document.getElementById("connection");
  if (!place || place.textContent === text) return;
  place.textContent = text;
  place.hidden = !text;
}
