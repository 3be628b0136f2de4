import { Module, type Provider } from '@nestjs/common';
import { OperationClient } from '@tessera/messaging';
import { openOutbox } from '@tessera/persistence';
import {
  EventsModule,
  logToken,
  metricsToken,
  settingsToken,
  stopSignalToken,
  type Log,
  type Metrics,
} from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { AgentsHandler } from './agents/agents.handler.js';
import { Agents } from './agents/agents.js';
import { ConversationMaintenance } from './conversations/conversation-maintenance.js';
import { ConversationsHandler } from './conversations/conversations.handler.js';
import { DatabaseModule, Pools } from './database.module.js';
import { Models } from './models/models.js';
import { createBuiltinPlanner } from './planner/builtin-planner.js';
import { getShutdownGraceMs, type Settings } from './settings.js';
import { AgentToolbox } from './tools/agent-toolbox.js';
import { ExecuteToolHandler } from './tools/execute-tool.handler.js';
import { SpecifyToolsHandler } from './tools/specify-tools.handler.js';
import { CompleteChatHandler } from './turns/complete-chat.handler.js';
import { ConverseHandler } from './turns/converse.handler.js';
import { TurnStarter } from './turns/start-turn.js';
import { TurnMetrics } from './turns/turn-metrics.js';
import { leaseSettingsToken, Turns, type LeaseSettings } from './turns/turns.js';

/** A replica that died is known to be dead so long after its last word. */
const standardLease: LeaseSettings = { leaseMs: 10_000, renewEveryMs: 2_500 };

const providers: readonly Provider[] = [
  { provide: Agents, inject: [Pools], useFactory: ({ light }: Pools) => new Agents(light) },
  {
    provide: AgentToolbox,
    inject: [OperationClient],
    useFactory: (services: OperationClient) => new AgentToolbox(services),
  },
  {
    provide: Models,
    inject: [settingsToken, logToken],
    useFactory: (settings: Settings, log: Log) => new Models({ settings, log, builtin: createBuiltinPlanner() }),
  },
  { provide: leaseSettingsToken, useValue: standardLease },
  {
    provide: Turns,
    inject: [
      settingsToken,
      Pools,
      DataSource,
      AgentToolbox,
      logToken,
      metricsToken,
      leaseSettingsToken,
      stopSignalToken,
    ],
    useFactory: (
      settings: Settings,
      { turns: pool }: Pools,
      source: DataSource,
      toolbox: AgentToolbox,
      log: Log,
      metrics: Metrics,
      lease: LeaseSettings,
      stopping: AbortSignal,
    ) => {
      const turns = new Turns({
        ...{ pool, source, toolbox, log, ...lease },
        turnsMax: settings.TURNS_MAX,
        keptDays: settings.CONVERSATIONS_KEPT_DAYS,
        figures: new TurnMetrics(metrics),
        now: () => new Date(),
      });
      metrics.gauge('tessera_turns_running', 'Turns that run in this process.', async () => turns.runningCount);
      stopping.addEventListener('abort', () => turns.leave(getShutdownGraceMs(settings)));
      return turns;
    },
  },
];

@Module({
  imports: [
    DatabaseModule,
    EventsModule.forRootAsync({
      inject: [settingsToken],
      useFactory: ({ DATABASE_URL }: Settings) => openOutbox('agents', DATABASE_URL),
    }),
  ],
  controllers: [
    ConverseHandler,
    CompleteChatHandler,
    ConversationsHandler,
    AgentsHandler,
    ExecuteToolHandler,
    SpecifyToolsHandler,
  ],
  providers: [...providers, TurnStarter, ConversationMaintenance],
})
export class AgentsModule {}
