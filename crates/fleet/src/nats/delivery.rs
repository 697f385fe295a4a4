//! Messages from a server, and their acknowledgement.

use std::sync::Arc;

use async_nats::jetstream::{AckKind, Message};
use tokio::runtime::Handle;

use super::connection::answered;
use crate::link::{Delivered, LinkError, Receipt};

/// A message for the fleet; `handle` is the runtime that acknowledges it.
pub(super) fn delivered(message: Message, handle: &Handle) -> Delivered {
    let deliveries = message
        .info()
        .map_or(1, |info| info.delivered.max(1) as u64);
    Delivered {
        body: message.payload.to_vec(),
        deliveries,
        receipt: Arc::new(NatsReceipt {
            message,
            handle: handle.clone(),
        }),
    }
}

struct NatsReceipt {
    message: Message,
    handle: Handle,
}

impl NatsReceipt {
    fn answer(&self, kind: AckKind) -> Result<(), LinkError> {
        self.handle
            .block_on(answered("acknowledgement", self.message.ack_with(kind)))
    }
}

impl Receipt for NatsReceipt {
    fn renew(&self) -> Result<(), LinkError> {
        self.answer(AckKind::Progress)
    }

    fn acknowledge(&self) -> Result<(), LinkError> {
        self.answer(AckKind::Ack)
    }
}
