/**
 * What `npm start` prints: lines that begin with the time and their source, and beneath them, on a terminal, one line that
 * says what goes on. Without a terminal a step that takes long says so now and then. With LOG_FORMAT=json every line is an
 * object. Plain JavaScript for Node 20, without node_modules: the installation is shown, too.
 */
const sourceWidth = 17;
const drawEveryMs = 200;
const firstSignAfterMs = 900;
const furtherSignsAfterMs = 10_000;
const clearLine = '\r\u001b[2K';

export const timeOfDay = (date = new Date()) => date.toTimeString().slice(0, 8);

const secondsSince = (began, digits) => `${((Date.now() - began) / 1_000).toFixed(digits)} s`;

/** A row of the terminal; a longer one could not be taken back. */
const fitting = (text, columns = 80) => (text.length < columns ? text : `${text.slice(0, columns - 2)}…`);

export const openOutput = (stream, { json = false, paint = (_source, text) => text } = {}) => {
  const isWatched = stream.isTTY === true && !json;
  const running = new Set();
  let isDrawn = false;
  let drawing;

  const write = (text) => void stream.write(isDrawn ? `${clearLine}${text}` : text);
  const draw = () => {
    const signs = [...running].map((step) => step.sign());
    if (signs.length === 0 && !isDrawn) return;
    stream.write(`${clearLine}${fitting(signs.join(', '), stream.columns)}`);
    isDrawn = signs.length > 0;
  };
  const written = (text) => {
    write(text);
    isDrawn = false;
    if (isWatched) draw();
  };
  const line = (source, text, time = timeOfDay()) =>
    written(
      json
        ? `${JSON.stringify({ level: 'info', time: new Date().toISOString(), service: source, msg: text })}\n`
        : `${time} ${paint(source, `${source.padEnd(sourceWidth)} |`)} ${text}\n`,
    );

  /** `title` is what goes on ("starting the services"); `end` takes what is done ("services started"). */
  const begin = (title) => {
    const began = Date.now();
    let detail = '';
    const step = { sign: () => `${title}…${detail === '' ? '' : ` ${detail},`} ${secondsSince(began, 0)}` };
    running.add(step);
    let timer;
    if (isWatched) {
      drawing ??= setInterval(draw, drawEveryMs).unref();
      draw();
    } else {
      const sign = (afterMs) => {
        timer = setTimeout(() => {
          line('launcher', step.sign());
          sign(furtherSignsAfterMs);
        }, afterMs).unref();
      };
      sign(firstSignAfterMs);
    }
    const end = (done) => {
      clearTimeout(timer);
      running.delete(step);
      if (running.size === 0) {
        clearInterval(drawing);
        drawing = undefined;
      }
      if (done !== undefined) line('launcher', `${done} (${secondsSince(began, 1)})`);
      else if (isWatched) draw();
    };
    return { tell: (more) => void (detail = more), end };
  };

  return { line, begin, raw: (text) => written(`${text}\n`) };
};
