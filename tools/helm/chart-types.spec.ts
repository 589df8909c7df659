import { afterAll, describe, expect, it } from '@jest/globals';
import { canRunHelm, Helm } from './helm.ts';
import { renderAll } from './installations.ts';
import { type KubernetesObject, typeErrorsOf } from './kubernetes-objects.ts';

const helm = canRunHelm ? new Helm() : undefined;

(helm ? describe : describe.skip)('the objects of the Helm chart', () => {
  const objects = helm ? Object.values(renderAll(helm)).flat() : [];
  afterAll(() => helm?.close());

  it('have only fields and values of the published types of Kubernetes', () => {
    expect(objects.length).toBeGreaterThan(40);
    expect(typeErrorsOf(objects)).toEqual([]);
  });

  it('would be refused with an unknown field and a wrong type', () => {
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    const withSpec = (spec: object) => ({ ...deployment, spec: { ...deployment?.spec, ...spec } }) as KubernetesObject;
    expect(typeErrorsOf([withSpec({ replica: 2 }), withSpec({ minReadySeconds: '5' })])).toEqual([
      expect.stringContaining(`'"replica"' does not exist in type`),
      expect.stringContaining("'string' is not assignable to type 'number'"),
    ]);
  });
});
