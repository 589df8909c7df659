import Link from 'next/link';
import { redirect } from 'next/navigation';
import { Counter } from './counter';

async function greet(form) {
  'use server';
  redirect(`/?name=${encodeURIComponent(String(form.get('name')))}`);
}

export default async function Page({ searchParams }) {
  const { name } = await searchParams;
  return (
    <>
      <h1>Hello from Next.js</h1>
      <p>
        Rendered at <time>{new Date().toISOString()}</time>
      </p>
      <Counter />
      <form action={greet}>
        <label>
          Name <input name="name" />
        </label>
        <button>Greet</button>
      </form>
      {name && <p>{`Hello, ${name}!`}</p>}
      <Link href="/about">About</Link>
    </>
  );
}
