/**
 * Makes the clock of a process of the specs run ten times as fast once it is ready (`node --import`); timers keep their pace. A
 * process whose clock differs from that of the database does not become ready.
 */
const { now } = Date;
const { send } = process;
process.send = (message, ...more) => {
  if (message === 'ready') {
    const beganMs = now();
    Date.now = () => beganMs + (now() - beganMs) * 10;
  }
  return send.call(process, message, ...more);
};
