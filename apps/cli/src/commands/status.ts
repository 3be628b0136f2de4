/** `tessera status`: the gateway, its dependencies and the services, each up or down. */
import { readPlatformStatus } from '@tessera/contracts/gateway';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable } from '../terminal/format.js';
import { reportFailure, withGateway, type CommandContext, type JsonOption } from './command.js';

/** Ends with `faults` when something is down. */
export const statusCommand = (context: CommandContext, { json = false }: JsonOption): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const answer = await gateway.call(readPlatformStatus, {});
    if (!answer.ok) return reportFailure(context, answer.refusal);
    const { version, uptimeSeconds, dependencies, services } = answer.value;
    const states = [...Object.entries(dependencies), ...Object.entries(services)];
    if (json) context.terminal.print(JSON.stringify(answer.value, null, 2));
    else {
      const url = context.configuration.gatewayUrl?.value ?? '';
      const rows = [
        ['gateway', 'up', `version ${version}, for ${durationText(uptimeSeconds)}, ${url}`],
        ...Object.entries(dependencies).map(([name, state]) => [name, state, 'needed by the gateway']),
        ...Object.entries(services).map(([name, state]) => [name, state, 'service']),
      ];
      for (const line of formatTable(['NAME', 'STATE', ''], rows)) context.terminal.print(line);
    }
    return states.every(([, state]) => state === 'up') ? exitCodes.done : exitCodes.faults;
  });

const durationText = (seconds: number): string => {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
};
