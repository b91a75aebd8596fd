// The WebSocket of a page.  After a lost connection or a restart of the server it connects again, and gets a
// new snapshot.

const FIRST_WAIT = 400; // milliseconds before the first new attempt
const LONGEST_WAIT = 5000;
const GONE = 4404; // the code with which the server closes a topic that it does not know

/**
 * Follows a topic of the server.
 *
 * @template Snapshot, Change
 */
export class Live {
  /**
   * @param {string} topic
   * @param {{snapshot: (state: Snapshot) => void, change: (change: Change) => void, gone?: () => void}} handlers
   */
  constructor(topic, handlers) {
    this.topic = topic;
    this.handlers = handlers;
    this.wait = FIRST_WAIT;
    this.closed = false;
    /** @type {number|undefined} */
    this.timer = undefined;
    this.socket = this.connect();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/live/${this.topic}`);
    socket.onmessage = (event) => {
      this.wait = FIRST_WAIT;
      showConnection("");
      const message = JSON.parse(event.data);
      if (message.snapshot !== undefined) this.handlers.snapshot(message.snapshot);
      for (const change of message.changes ?? []) this.handlers.change(change);
    };
    socket.onclose = (event) => {
      if (this.closed) return;
      if (event.code === GONE) {
        this.closed = true;
        this.handlers.gone?.();
        return;
      }
      showConnection("Connection lost. Trying again …");
      this.timer = setTimeout(() => this.reconnect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 1.6);
    };
    return socket;
  }

  reconnect() {
    this.socket = this.connect();
  }

  /** Try again now if the connection is lost: the page is seen again, or the network is back. */
  hurry = () => {
    if (this.closed || document.hidden || this.socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT;
    this.reconnect();
  };

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    const socket = this.socket;
    socket.onmessage = null;
    // browsers complain if a socket is closed before it is open
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }
}

/** Show the state of the connection; "" hides the notice. @param {string} text */
function showConnection(text) {
  const place = document.getElementById("connection");
  if (!place || place.textContent === text) return;
  place.textContent = text;
  place.hidden = !text;
}
