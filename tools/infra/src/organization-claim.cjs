'use strict';

/**
 * Adds the organization of a person to both tokens, before Amazon Cognito issues them. Only what Cognito itself and
 * the provider say counts: `identities` cannot be changed by people, and an organization that a provider names gets
 * the id of the provider as prefix. Without an answer there is no claim, and Homeport shows that the person belongs to
 * no organization.
 */
exports.handler = async (event) => {
  const organization = organizationOf(event.request.userAttributes, JSON.parse(process.env.ORGANIZATIONS));
  if (organization === undefined) return event;
  const claimsToAddOrOverride = { org_id: organization.id, org_name: organization.name };
  event.response = {
    claimsAndScopeOverrideDetails: {
      idTokenGeneration: { claimsToAddOrOverride },
      accessTokenGeneration: { claimsToAddOrOverride: { org_id: organization.id } },
    },
  };
  return event;
};

function organizationOf(attributes, organizations) {
  const [identity, ...others] = JSON.parse(attributes.identities ?? '[]');
  const { providerName } = identity ?? {};
  // An account that is linked to two providers could act for both organizations.
  if (providerName === undefined || others.some((other) => other.providerName !== providerName)) return undefined;
  if (!Object.hasOwn(organizations, providerName)) return undefined;
  const organization = organizations[providerName];
  if (organization.claim === undefined) return organization;
  const named = (attributes['custom:organization'] ?? '').trim();
  return named === '' ? undefined : { id: `${providerName}:${named}`, name: named };
}
