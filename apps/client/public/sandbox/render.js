// Renders diagrams and formulas for the page that contains this frame. The frame has an opaque origin and may load only
// the scripts next to it, so a rendering can reach neither the page nor the network.
'use strict';
(() => {
  const SCRIPTS = { diagram: '/sandbox/mermaid.min.js', formula: '/sandbox/katex.min.js' };
  const loaded = new Map();

  function load(kind) {
    if (!loaded.has(kind)) {
      const script = document.createElement('script');
      script.src = SCRIPTS[kind];
      const done = new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = () => {
          loaded.delete(kind);
          reject(new Error('The rendering script could not be loaded.'));
        };
      });
      loaded.set(kind, done);
      document.head.append(script);
    }
    return loaded.get(kind);
  }

  async function diagram({ id, source, dark }) {
    window.mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      theme: dark ? 'dark' : 'default',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      class: { htmlLabels: false },
      fontFamily: 'system-ui, sans-serif',
      maxTextSize: 100_000,
      maxEdges: 1_000,
      // Settings that the diagram source may not override.
      secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'htmlLabels', 'fontFamily'],
      suppressErrorRendering: true,
    });
    const { svg } = await window.mermaid.render(`drawing-${id}`, source);
    const root = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
    const [, , width, height] = (root.getAttribute('viewBox') || '').split(/[\s,]+/).map(Number);
    root.setAttribute('width', String(width));
    root.setAttribute('height', String(height));
    root.style.removeProperty('max-width');
    return { svg: new XMLSerializer().serializeToString(root), width, height };
  }

  function formula({ source, display }) {
    const mathml = window.katex.renderToString(source, {
      output: 'mathml',
      displayMode: display,
      trust: false,
      strict: 'ignore',
      throwOnError: true,
      maxExpand: 200,
      maxSize: 20,
    });
    return { mathml };
  }

  addEventListener('message', async ({ source, data }) => {
    if (source !== parent || typeof data !== 'object' || !Object.hasOwn(SCRIPTS, data.kind)) return;
    try {
      await load(data.kind);
      const drawing = data.kind === 'diagram' ? await diagram(data) : formula(data);
      parent.postMessage({ id: data.id, ...drawing }, '*');
    } catch (error) {
      parent.postMessage({ id: data.id, fault: String((error && error.message) || error) }, '*');
    }
  });
  parent.postMessage('ready', '*');
})();
