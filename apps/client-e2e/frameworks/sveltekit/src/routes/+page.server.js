export const load = () => ({ time: new Date().toISOString() });

export const actions = {
  default: async ({ request }) => ({ name: String((await request.formData()).get('name')) }),
};
