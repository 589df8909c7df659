import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { OrganizationRequired } from '../../domain/identity.errors';
import { isMember, type Member, type Principal } from '../../domain/principal';

/** The principal of the request's verified token. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) => principalIn(context));

/** The principal as a member; throws `OrganizationRequired` for people without an organization. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): Member => {
  const principal = principalIn(context);
  if (!isMember(principal)) throw new OrganizationRequired();
  return principal;
});

function principalIn(context: ExecutionContext): Principal {
  return context.switchToHttp().getRequest<{ user: Principal }>().user;
}
