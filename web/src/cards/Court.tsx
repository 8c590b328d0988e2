/**
 * Kings, queens and jacks: one bust, drawn twice, with a crown, hair and a thing to hold for each rank. Any other
 * letter gets the jack's hat and spear.
 */
export function Court({ rank, symbol, half = false }: { rank: string; symbol: string; half?: boolean }) {
  if (half) return <Bust rank={rank} symbol={symbol} />;
  return (
    <g>
      <rect x="53" y="36" width="144" height="278" rx="9" className="court-frame" />
      <g clipPath="url(#court-half)">
        <Bust rank={rank} symbol={symbol} />
      </g>
      <g transform="rotate(180 125 175)">
        <g clipPath="url(#court-half)">
          <Bust rank={rank} symbol={symbol} />
        </g>
      </g>
      <path d="M53 175H197" className="court-seam" />
      <path d="M125 165l10 10-10 10-10-10z" className="court-gold" />
    </g>
  );
}

/** The definitions of court cards. They must be in the document once, next to the symbols. */
export function CourtDefs() {
  return (
    <clipPath id="court-half">
      <rect x="54.5" y="37.5" width="141" height="137.5" />
    </clipPath>
  );
}

function Bust({ rank, symbol }: { rank: string; symbol: string }) {
  return (
    <g className="court">
      <Held rank={rank} symbol={symbol} />
      {rank === "Q" && (
        <Mirrored d="M103 62C80 78 84 112 86 140L110 132C102 108 104 86 107 70Z" className="court-hair" />
      )}
      <path d="M54 178C55 146 74 131 105 125H145C176 131 195 146 196 178Z" className="court-robe" />
      <Mirrored d="M72 178C74 156 84 142 98 136" className="court-line" />
      <Mirrored d="M86 178C87 162 94 150 106 143" className="court-line" />
      <path d="M101 124L125 166 149 124 138 118H112Z" className="court-gold" />
      <path d="M112 121L125 146 138 121Z" className="court-linen" />
      <rect x="116" y="106" width="18" height="18" className="court-skin" />
      {rank === "J" && (
        <Mirrored d="M102 66C89 82 91 104 97 114L110 110C104 98 104 84 107 72Z" className="court-hair" />
      )}
      {rank === "K" && <Mirrored d="M103 66C93 76 94 96 99 106L106 98C103 90 104 80 106 70Z" className="court-hair" />}
      <path d="M104 64H146V84C146 104 137 116 125 116 113 116 104 104 104 84Z" className="court-skin" />
      {rank === "K" && (
        <path
          d="M104 84C103 112 112 134 125 138 138 134 147 112 146 84 144 96 138 101 131 99 128 97 122 97 119 99 112 101 106 96 104 84Z"
          className="court-hair"
        />
      )}
      <Mirrored d="M110 82q5-5 10 0" className="court-ink" />
      <path d="M125 83l-3 10q3 2 5 0" className="court-ink" />
      <path
        d={rank === "K" ? "M120 106q5 3 10 0" : "M119 103q6 5 12 0"}
        className={rank === "K" ? "court-lip" : "court-ink"}
      />
      <Crown rank={rank} />
      <use href={`#${symbol}`} x="60" y="44" width="34" height="34" />
    </g>
  );
}

function Crown({ rank }: { rank: string }) {
  if (rank === "K") {
    return (
      <g>
        <path d="M100 68L94 38 110 51 125 30 140 51 156 38 150 68Z" className="court-gold" />
        <rect x="99" y="61" width="52" height="9" rx="2" className="court-robe" />
        {[94, 125, 156].map((x) => (
          <circle key={x} cx={x} cy={x === 125 ? 29 : 37} r="4.5" className="court-gold" />
        ))}
      </g>
    );
  }
  if (rank === "Q") {
    return (
      <g>
        <path
          d="M101 68L97 46Q105 57 111 45 118 56 125 39 132 56 139 45 145 57 153 46L149 68Z"
          className="court-gold"
        />
        {[97, 111, 125, 139, 153].map((x, i) => (
          <circle key={x} cx={x} cy={[44, 43, 37, 43, 44][i]} r="3.6" className="court-linen" />
        ))}
        <path d="M102 62H148" className="court-ink" />
      </g>
    );
  }
  return (
    <g>
      <path d="M148 52C158 36 176 40 186 32 184 48 170 62 150 62Z" className="court-hair" />
      <path d="M97 68C92 46 118 36 138 43 152 48 156 58 153 68Z" className="court-robe" />
      <rect x="97" y="62" width="56" height="8" rx="3" className="court-gold" />
    </g>
  );
}

function Held({ rank, symbol }: { rank: string; symbol: string }) {
  if (rank === "K") {
    return (
      <g>
        <path d="M175 74L180 56 185 74V140H175Z" className="court-steel" />
        <path d="M164 138H196V145H164Z" className="court-gold" />
      </g>
    );
  }
  if (rank === "Q") {
    return (
      <g>
        <path d="M180 160C184 140 178 124 181 108" className="court-stem" />
        <use href={`#${symbol}`} x="164" y="76" width="34" height="34" />
      </g>
    );
  }
  return (
    <g>
      <path d="M180 176V92" className="court-stem" />
      <path d="M180 66C192 78 192 92 180 104 168 92 168 78 180 66Z" className="court-steel" />
    </g>
  );
}

function Mirrored({ d, className }: { d: string; className: string }) {
  return (
    <>
      <path d={d} className={className} />
      <path d={d} className={className} transform="matrix(-1 0 0 1 250 0)" />
    </>
  );
}
