/**
 * The health check of a container: asks the management port of the service beside it whether it is `live` or `ready`.
 * Refuses: to wait longer than a check may take, and every answer but 200.
 */
const [question = 'live'] = process.argv.slice(2);
const patienceMs = 4_000;

try {
  const address = `http://127.0.0.1:${process.env.MANAGEMENT_PORT}/health/${question}`;
  const { status } = await fetch(address, { signal: AbortSignal.timeout(patienceMs) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
