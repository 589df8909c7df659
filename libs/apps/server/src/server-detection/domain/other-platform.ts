import type { DetectionRule } from './bundle';

/** Builds for other platforms, by a path that only they have. */
const PLATFORMS: readonly (readonly [path: RegExp, platform: string])[] = [
  [/^(?:[^/]+\/)?_worker\.js(?:\/|$)/, 'Cloudflare'],
  [/^(?:[^/]+\/)?netlify\/functions(?:-internal)?\//, 'Netlify'],
  [/^(?:[^/]+\/)?functions\/(?:[^/]+\/)*[^/]+\.func\//, 'Vercel'],
];

/** A build that runs on another platform alone. */
export const detectOtherPlatform: DetectionRule = ({ paths }) => {
  for (const [pattern, platform] of PLATFORMS) {
    const path = [...paths].find((each) => pattern.test(each));
    if (path !== undefined)
      return {
        path,
        unsupported: `The upload is a build for ${platform}: it has "${path}". Build again with the Node.js adapter of the framework, and deploy its output.`,
      };
  }
  return undefined;
};
