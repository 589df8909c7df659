import { challengeZoneContract } from '../../../testing/challenge-zone.contract';
import { InMemoryChallengeZone } from './in-memory-challenge-zone';

const zone = new InMemoryChallengeZone();
challengeZoneContract(InMemoryChallengeZone.name, () => ({
  zone,
  zoneName: 'acme.example',
  lookUp: async (name) => zone.valuesOf(name),
}));
