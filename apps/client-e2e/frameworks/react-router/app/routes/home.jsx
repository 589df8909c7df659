import { useState } from 'react';
import { Form, Link } from 'react-router';

export const loader = () => ({ time: new Date().toISOString() });

export const action = async ({ request }) => ({ name: String((await request.formData()).get('name')) });

export default function Home({ loaderData, actionData }) {
  const [clicks, setClicks] = useState(0);
  return (
    <main>
      <h1>Hello from React Router</h1>
      <p>
        Rendered at <time>{loaderData.time}</time>
      </p>
      <button type="button" onClick={() => setClicks(clicks + 1)}>
        {`Clicked ${clicks} times`}
      </button>
      <Form method="post">
        <label>
          Name <input name="name" />
        </label>
        <button>Greet</button>
      </Form>
      {actionData && <p>{`Hello, ${actionData.name}!`}</p>}
      <Link to="/about">About</Link>
    </main>
  );
}
