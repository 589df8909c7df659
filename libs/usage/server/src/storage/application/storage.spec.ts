import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { InMemoryStorageLedger } from '../adapters/memory/in-memory-storage-ledger';
import { MeasureStorage, type StorageDrift } from './measure-storage';
import { WorkspaceChanges } from './workspace-changes';

let ledger: InMemoryStorageLedger;
let stored: Map<string, bigint>;
let drifts: StorageDrift[];
let measurement: MeasureStorage;
let measured: string[];
let owners: Map<string, string>;
let unowned: number[];

beforeEach(() => {
  ledger = new InMemoryStorageLedger();
  stored = new Map([
    ['u/ada/', 100n],
    ['u/ben/', 20n],
  ]);
  drifts = [];
  measured = [];
  const bytesOf = async (workspace: string) => {
    measured.push(workspace);
    return stored.get(workspace) ?? 0n;
  };
  owners = new Map();
  unowned = [];
  measurement = new MeasureStorage({
    ledger,
    workspaces: {
      bytesOf,
      pages: async function* () {
        for (const workspace of stored.keys()) yield [workspace];
      },
    },
    owners: { ownersOf: async () => owners },
    onDrift: (drift) => drifts.push(drift),
    onUnowned: (count) => unowned.push(count),
  });
});
const note = (...workspaces: string[]) =>
  ledger.noteChanges(workspaces.map((workspace) => ({ workspace, organization: 'northwind' })));
const total = async () => (await ledger.totals()).get('northwind');

describe('MeasureStorage', () => {
  it('measures only workspaces that changed', async () => {
    await note('u/ada/', 'u/ben/');
    await measurement.measureChanged();
    expect(await total()).toBe(120n);
    stored.set('u/ben/', 0n);
    await note('u/ben/');
    measured = [];
    await measurement.measureChanged();
    expect([await total(), measured]).toEqual([100n, ['u/ben/']]);
  });

  it('finds and corrects a ledger that is wrong, and does not report noted changes', async () => {
    await note('u/ada/', 'u/ben/');
    await measurement.measureChanged();
    const [ada] = await ledger.page({ after: undefined, limit: 1, onlyChanged: false });
    await ledger.setBytes({ ...ada!, bytes: 7n });
    stored.set('u/ben/', 25n);
    await note('u/ben/');
    expect(await measurement.findDrift()).toEqual([{ workspace: 'u/ada/', recorded: 7n, found: 100n }]);
    expect(await total()).toBe(27n);
    await measurement.takeInventory();
    expect(drifts).toEqual([{ workspace: 'u/ada/', recorded: 7n, found: 100n }]);
    expect(await total()).toBe(125n);
    await measurement.takeInventory();
    expect(drifts).toHaveLength(1);
  });

  it('measures stored workspaces that never changed, and counts those without a known owner', async () => {
    owners.set('u/ada/', 'northwind');
    await measurement.takeInventory();
    expect([await total(), drifts, unowned]).toEqual([100n, [], [1]]);
    owners.set('u/ada/', 'former').set('u/ben/', 'northwind');
    await measurement.takeInventory();
    expect([await total(), drifts, unowned]).toEqual([120n, [], [1, 0]]);
  });

  it('measures known workspaces also when it cannot find missing ones', async () => {
    await note('u/ada/');
    const broken = new DatabaseUnavailable();
    ledger.missing = () => Promise.reject(broken);
    await expect(measurement.takeInventory()).rejects.toBe(broken);
    expect(await total()).toBe(100n);
  });
});

describe('WorkspaceChanges', () => {
  it('adds a workspace at the first call of its person, and measures it once', async () => {
    const add = jest.spyOn(ledger, 'add');
    const changes = new WorkspaceChanges(ledger, (error) => expect(error).toBeUndefined());
    changes.visit('u/ada/', 'northwind');
    await changes.flush();
    changes.visit('u/ada/', 'northwind');
    await changes.flush();
    expect(add).toHaveBeenCalledTimes(1);
    await measurement.measureChanged();
    expect(await total()).toBe(100n);
    const restarted = new WorkspaceChanges(ledger, (error) => expect(error).toBeUndefined());
    restarted.visit('u/ada/', 'northwind');
    await restarted.flush();
    measured = [];
    await measurement.measureChanged();
    expect(measured).toEqual([]);
  });

  it('notes changes at a flush, also those that an unavailable database rejected', async () => {
    const failures: unknown[] = [];
    const changes = new WorkspaceChanges(ledger, (error) => failures.push(error));
    const noteChanges = ledger.noteChanges.bind(ledger);
    ledger.noteChanges = () => Promise.reject(new DatabaseUnavailable());
    changes.note('u/ada/', 'northwind');
    await changes.flush();
    ledger.noteChanges = noteChanges;
    changes.note('u/ben/', 'northwind');
    await changes.stop();
    await measurement.measureChanged();
    expect([await total(), failures]).toEqual([120n, []]);
  });
});
