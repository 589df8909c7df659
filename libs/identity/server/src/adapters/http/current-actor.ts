import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { OrganizationRequired } from '../../domain/identity.errors';
import { isMember, type Member, type Actor } from '@homeport/identity/contracts';

/** The actor of the request's verified token. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext) => actorIn(context));

/** The actor as a member; throws `OrganizationRequired` for people without an organization. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): Member => {
  const actor = actorIn(context);
  if (!isMember(actor)) throw new OrganizationRequired();
  return actor;
});

function actorIn(context: ExecutionContext): Actor {
  return context.switchToHttp().getRequest<{ user: Actor }>().user;
}
