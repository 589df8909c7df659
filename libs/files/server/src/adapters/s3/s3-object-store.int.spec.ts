import { embeddedServices } from '@homeport/platform/server/testing';
import { objectStoreContract } from '../../testing/object-store.contract';
import { S3ObjectStore } from './s3-object-store';

const services = embeddedServices();
const store = new S3ObjectStore({
  endpoint: services['S3_ENDPOINT'] as string,
  region: services['S3_REGION'] as string,
  bucket: services['S3_BUCKET'] as string,
  forcePathStyle: true,
  credentials: {
    accessKeyId: services['S3_ACCESS_KEY_ID'] as string,
    secretAccessKey: services['S3_SECRET_ACCESS_KEY'] as string,
  },
});
objectStoreContract(S3ObjectStore.name, () => store);
