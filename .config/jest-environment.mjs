/**
 * What a spec file sees: this process itself, no copy of its globals. `global` is only what Jest puts its own things on.
 */
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export default class {
  global = Object.assign(Object.create(globalThis), { process: Object.create(process) });
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup() {}

  teardown() {
    this.fakeTimersModern.dispose();
  }

  getVmContext() {
    return null;
  }
}
